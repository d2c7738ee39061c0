// The C API that the binding calls. Every type is blittable, so no stub is generated and nothing is marshalled; all calls
// but the first of each process go to a library that NativeLibraryLoader has loaded.

using System.Runtime.InteropServices;

#if MODERN
[assembly: System.Runtime.CompilerServices.DisableRuntimeMarshalling]
#endif

namespace Ilcuda.Interop;

internal static unsafe class Api
{
    public const string Library = "libilcuda";
    private const CallingConvention C = CallingConvention.Cdecl;

    // session.h, status.h
    [DllImport(Library, CallingConvention = C)] public static extern uint ilc_abi();
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_version();
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_status_name(int status);
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_status_text(int status);
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_storage_name(int storage);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_session_create(nint* session, void* options);
    [DllImport(Library, CallingConvention = C)] public static extern void ilc_session_destroy(nint session);
    [DllImport(Library, CallingConvention = C)] public static extern void ilc_session_stop(nint session);
    [DllImport(Library, CallingConvention = C)] public static extern void ilc_session_resume(nint session);
    [DllImport(Library, CallingConvention = C)] public static extern uint ilc_session_diagnostic_count(nint session);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_session_diagnostic(CDiagnostic* diagnostic, nint session, uint index);
    [DllImport(Library, CallingConvention = C)] public static extern void ilc_session_clear_diagnostics(nint session);

    // assembly.h
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_assembly_open(nint* assembly, nint session, byte* path, CAssemblyOptions* options);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_assembly_open_memory(nint* assembly, nint session, byte* name, void* bytes, nuint size, void* pdb, nuint pdbSize, CAssemblyOptions* options);
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_assembly_name(nint assembly);
    [DllImport(Library, CallingConvention = C)] public static extern uint ilc_assembly_method_count(nint assembly);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_assembly_method(nint* method, nint assembly, uint index);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_assembly_find(nint* method, nint assembly, byte* name);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_assembly_struct(nint* layout, nint assembly, uint type);

    // bundle.h
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_bundle_open(nint* bundle, nint session, byte* path);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_bundle_open_memory(nint* bundle, nint session, byte* name, void* bytes, nuint size);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_bundle_assembly(nint* assembly, nint bundle);

    // method.h, value.h
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_method_name(nint method);
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_method_full_name(nint method);
    [DllImport(Library, CallingConvention = C)] public static extern byte ilc_method_is_generic(nint method);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_display(nint* text, nint method);
    [DllImport(Library, CallingConvention = C)] public static extern uint ilc_method_captured_count(nint method);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_captured(CCaptured* step, nint method, uint param, uint number);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_counted(nint* counted, nint method, byte* index);
    [DllImport(Library, CallingConvention = C)] public static extern uint ilc_method_param_count(nint method);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_param(CParam* param, nint method, uint index);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_result(nint method);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_result_type(nint* text, nint method);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_output(CField* field, nint method, uint index);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_result_struct(nint* layout, nint method);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_support(CSupport* support, nint method);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_il(nint* text, nint method);
    [DllImport(Library, CallingConvention = C)] public static extern uint ilc_method_line(nint method, nint* source);
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_struct_name(nint layout);
    [DllImport(Library, CallingConvention = C)] public static extern uint ilc_struct_size(nint layout);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_struct_field(CField* field, nint layout, uint index);

    // kernel.h
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_kernel_translate(nint* kernel, nint method, CKernelOptions* options);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_kernel_index_mode(nint kernel);
    [DllImport(Library, CallingConvention = C)] public static extern uint ilc_kernel_dims(nint kernel);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_kernel_index_param(nint kernel, uint dim);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_kernel_device_name(nint* text, nint kernel);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_kernel_name(nint* text, nint kernel);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_kernel_text(nint* text, nint kernel, int form);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_kernel_lines(CLine** lines, nuint* count, nint kernel, int form);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_method_source(nint* text, nint method, int form);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_kernel_entry_param(CEntryParam* param, nint kernel, byte isChecked, uint index);

    // engine.h
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_engine_create(nint* engine, nint session, CEngineOptions* options);
    [DllImport(Library, CallingConvention = C)] public static extern void ilc_engine_destroy(nint engine);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_engine_kind_of(nint engine);
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_engine_describe(nint engine);
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_engine_reason(nint engine);
    [DllImport(Library, CallingConvention = C)] public static extern void ilc_engine_parts_get(CEngineParts* parts, nint engine);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_engine_prepare(nint engine, nint kernel, byte* cached);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_buffer_create(nint* buffer, nint engine, int elem, long length);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_buffer_create_structs(nint* buffer, nint engine, nint layout, long length);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_buffer_reshape(nint buffer, uint rank, long* dims);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_buffer_resize(nint buffer, long length);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_buffer_lend(nint buffer, void* data, long length);
    [DllImport(Library, CallingConvention = C)] public static extern uint ilc_buffer_shape(nint buffer, long* dims);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_buffer_elem(nint buffer);
    [DllImport(Library, CallingConvention = C)] public static extern nint ilc_buffer_struct(nint buffer);
    [DllImport(Library, CallingConvention = C)] public static extern void ilc_buffer_destroy(nint buffer);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_buffer_write(nint buffer, long offset, void* from, long count);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_buffer_read(nint buffer, long offset, void* to, long count);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_launch(CLaunchResult* result, nint engine, nint kernel, CArgument* args, nuint count, long* extents, nuint dims, CLaunchOptions* options);

    // call.h, check.h, doctor.h
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_call(COutcome* outcome, nint method, CValue* args, nuint count, CCallOptions* options);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_check(CCheckResult* result, nint method, CCheckOptions* options);
    [DllImport(Library, CallingConvention = C)] public static extern int ilc_probe(CProbeResult* result, nint session, CEngineOptions* options);
}
