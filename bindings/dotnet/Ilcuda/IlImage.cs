// The image of an assembly that was loaded from memory, or is part of a single file: its metadata as the runtime has it, the
// IL of its methods and the data of its fields as reflection gives them, laid out as a file (ECMA-335 II.25).

#if MODERN
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using Ilcuda.Interop;

namespace Ilcuda;

internal static unsafe class IlImage
{
    private const int FileStart = 0x200, Rva = 0x2000, CliHeaderSize = 72;
    private const int MethodDef = 0x06000000, FieldDef = 0x04000000;

    /// <summary>The bytes of the image.</summary>
    /// <exception cref="IlcudaException">The runtime keeps no IL.</exception>
    public static byte[] Of(Module module)
    {
        Assembly assembly = module.Assembly;
        if (!assembly.TryGetRawMetadata(out byte* blob, out int length))
            throw new IlcudaException(Status.Unsupported, $"{assembly.GetName().Name}: this program keeps no IL to translate");
        var metadata = new ReadOnlySpan<byte>(blob, length).ToArray();
        var reader = new MetadataReader(blob, length);
        using var rest = new MemoryStream();
        int start = Rva + CliHeaderSize + Align(length);
        foreach (MethodDefinitionHandle handle in reader.MethodDefinitions)
        {
            if (reader.GetMethodDefinition(handle).RelativeVirtualAddress != 0)
                Patch(metadata, reader, TableIndex.MethodDef, MetadataTokens.GetRowNumber(handle), WriteBody(rest, start, module, MetadataTokens.GetRowNumber(handle)));
        }
        int row = 0;
        foreach (FieldDefinitionHandle handle in reader.FieldDefinitions.Where(field => (reader.GetFieldDefinition(field).Attributes & FieldAttributes.HasFieldRVA) != 0))
            Patch(metadata, reader, TableIndex.FieldRva, ++row, WriteData(rest, start, module, MetadataTokens.GetRowNumber(handle)));
        return Whole(metadata, rest.ToArray());
    }

    /// <summary>The first column of both tables is the RVA (II.22.26, II.22.18); rows of FieldRVA are in the order of their fields.</summary>
    private static void Patch(byte[] metadata, MetadataReader reader, TableIndex table, int row, int rva)
    {
        int at = reader.GetTableMetadataOffset(table) + (row - 1) * reader.GetTableRowSize(table);
        BitConverter.TryWriteBytes(metadata.AsSpan(at), rva);
    }

    private static int Align(int size) => (size + 3) & ~3;

    private static void Pad(Stream stream, int to)
    {
        while (stream.Length % to != 0)
            stream.WriteByte(0);
    }

    /// <summary>A fat header, the code, and a fat table of its exception clauses (II.25.4). The catch types' tokens are not known to
    /// reflection; no kernel catches. 0 where there is no body to be had.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A body that was trimmed away is no body.")]
    private static int WriteBody(MemoryStream rest, int start, Module module, int row)
    {
        MethodBody? body;
        try
        {
            body = module.ResolveMethod(MethodDef | row)!.GetMethodBody();
        }
        catch (PlatformNotSupportedException)
        {
            throw new IlcudaException(Status.Unsupported, $"{module.ScopeName}: this program keeps no IL to translate");
        }
        catch (Exception e) when (e is TypeLoadException or FileNotFoundException or BadImageFormatException)
        {
            return 0; // its types cannot be loaded here, so it cannot be called either
        }
        if (body?.GetILAsByteArray() is not { } code)
            return 0;
        const int fat = 0x3003, moreSections = 0x8, initLocals = 0x10;
        Pad(rest, 4);
        int rva = start + (int)rest.Length;
        using var writer = new BinaryWriter(rest, System.Text.Encoding.UTF8, leaveOpen: true);
        IList<ExceptionHandlingClause> clauses = body.ExceptionHandlingClauses;
        writer.Write((ushort)(fat | (clauses.Count > 0 ? moreSections : 0) | (body.InitLocals ? initLocals : 0)));
        writer.Write((ushort)body.MaxStackSize);
        writer.Write(code.Length);
        writer.Write(body.LocalSignatureMetadataToken);
        writer.Write(code);
        WriteClauses(writer, rest, clauses);
        return rva;
    }

    private static void WriteClauses(BinaryWriter writer, MemoryStream rest, IList<ExceptionHandlingClause> clauses)
    {
        const int table = 0x41, clauseSize = 24, someType = 0x02000001;
        if (clauses.Count == 0)
            return;
        Pad(rest, 4);
        writer.Write(table | (clauses.Count * clauseSize + 4) << 8);
        foreach (ExceptionHandlingClause clause in clauses)
        {
            writer.Write((int)clause.Flags);
            writer.Write(clause.TryOffset);
            writer.Write(clause.TryLength);
            writer.Write(clause.HandlerOffset);
            writer.Write(clause.HandlerLength);
            writer.Write(clause.Flags switch
            {
                ExceptionHandlingClauseOptions.Filter => clause.FilterOffset,
                ExceptionHandlingClauseOptions.Clause => someType,
                _ => 0,
            });
        }
    }

    /// <summary>What a field that array literals and constant spans are copied from holds.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "A field that was trimmed away is in no table.")]
    private static int WriteData(MemoryStream rest, int start, Module module, int row)
    {
        object value = module.ResolveField(FieldDef | row)!.GetValue(null)!;
        Pad(rest, 8);
        int rva = start + (int)rest.Length;
        rest.Write(CallValues.BytesOf(value));
        return rva;
    }

    /// <summary>One section: the CLI header, the metadata, and the rest (II.25.2, II.25.3.3).</summary>
    private static byte[] Whole(byte[] metadata, byte[] rest)
    {
        int size = CliHeaderSize + Align(metadata.Length) + rest.Length;
        int raw = (size + FileStart - 1) / FileStart * FileStart;
        var image = new MemoryStream(new byte[FileStart + raw], true);
        using var writer = new BinaryWriter(image);
        void At(int position, params int[] values)
        {
            image.Position = position;
            foreach (int value in values)
                writer.Write(value);
        }
        const int pe = 0x80, optional = pe + 24, directories = optional + 96, section = optional + 224;
        At(0, 0x5A4D);
        At(0x3C, pe);
        At(pe, 0x4550, 0x1014C, 0, 0, 0, 224 | 0x2102 << 16);   // i386, one section, a 32-bit optional header, a DLL
        At(optional, 0x10B, raw, 0, 0, 0, Rva, 0, 0x10000000, Rva, FileStart, 4, 0, 4, 0, Rva + raw, FileStart, 0, 3);
        At(directories - 4, 16);
        At(directories + 14 * 8, Rva, CliHeaderSize);
        At(section, 0x7865742E, 0x74, size, Rva, raw, FileStart); // ".text"
        At(section + 36, 0x60000020);
        At(FileStart, CliHeaderSize, 2 | 5 << 16, Rva + CliHeaderSize, metadata.Length, 1);
        image.Position = FileStart + CliHeaderSize;
        writer.Write(metadata);
        image.Position = FileStart + CliHeaderSize + Align(metadata.Length);
        writer.Write(rest);
        return image.ToArray();
    }
}
#endif
