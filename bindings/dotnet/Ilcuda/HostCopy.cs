// An array of the program on an engine, of whatever type and rank: for the length of one run.

using Ilcuda.Interop;

namespace Ilcuda;

internal sealed unsafe class HostCopy : DeviceBuffer
{
    public HostCopy(Engine engine, Array array, IlParameter param, string method) : base(engine, array.LongLength)
    {
        Array = array;
        try
        {
            Storage storage = Storages.Of(array.GetType().GetElementType()!);
            if (storage == Storage.Other && !CallValues.IsStructArray(array, param))
                throw new IlcudaException(Status.Invalid, $"{method}: argument {param.Name} must be {param.Type}, not {array.GetType().Name}");
            using SessionScope inside = engine.Session.Enter();
            nint buffer;
            engine.Session.Check(storage == Storage.Other
                ? Api.ilc_buffer_create_structs(&buffer, engine.Native, param.Layout, Length)
                : Api.ilc_buffer_create(&buffer, engine.Native, (int)storage, Length));
            Handle.Set(buffer);
            Shape(engine.Session);
            CallValues.WithData(array, data => engine.Session.Check(Api.ilc_buffer_write(Native, 0, (void*)data, Length)));
        }
        catch
        {
            if (Handle.IsInvalid)
                Handle.Abandon();
            else
                Handle.Dispose();
            throw;
        }
    }

    public Array Array { get; }

    private void Shape(Session session)
    {
        const int mostDimensions = 3;
        if (Array.Rank == 1 || Array.Rank > mostDimensions)
            return;
        long* dims = stackalloc long[mostDimensions];
        for (int k = 0; k < Array.Rank; k++)
            dims[k] = Array.GetLongLength(k);
        session.Check(Api.ilc_buffer_reshape(Native, (uint)Array.Rank, dims));
    }

    /// <summary>What the kernel left there.</summary>
    public void TakeBack()
    {
        using SessionScope inside = Engine.Session.Enter();
        CallValues.WithData(Array, data => Engine.Session.Check(Api.ilc_buffer_read(Native, 0, (void*)data, Length)));
    }
}
