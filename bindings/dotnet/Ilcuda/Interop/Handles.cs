// Ownership. A session's handle is destroyed last: engines hold a reference to it, buffers one to their engine. What is
// released while another thread is inside the session (finalisers come at any time) waits in the session's list of things
// to destroy; whoever leaves the session next destroys it.

using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace Ilcuda.Interop;

/// <summary>What the handles of one session share: the lock around every call, and what waits to be destroyed.</summary>
internal sealed class SessionGate
{
    private readonly ConcurrentQueue<Action> _waiting = new();
    private readonly object _lock = new();
    private int _living;

    /// <summary>How many engines and buffers of the session have not been destroyed.</summary>
    public int Living => Volatile.Read(ref _living);
    /// <summary>The session itself has been.</summary>
    public bool Ended { get; set; }

    public void Count(int more) => Interlocked.Add(ref _living, more);

    public void Enter() => Monitor.Enter(_lock);

    public void Exit()
    {
        Monitor.Exit(_lock);
        if (!_waiting.IsEmpty)
            Empty();
    }

    /// <summary>Runs the action now, or, where another thread is inside, as soon as that leaves. Never waits.</summary>
    public void RunOrLeave(Action action)
    {
        _waiting.Enqueue(action);
        Empty();
    }

    /// <summary>Either this thread gets in, or the one that is inside looks again after it has left.</summary>
    private void Empty()
    {
        while (!_waiting.IsEmpty && Monitor.TryEnter(_lock))
        {
            try
            {
                while (_waiting.TryDequeue(out Action? action))
                    action();
            }
            finally
            {
                Monitor.Exit(_lock);
            }
        }
    }
}

internal sealed class SessionHandle : SafeHandle
{
    private readonly SessionGate _gate;
    private readonly List<nint> _memory = [];

    public SessionHandle(SessionGate gate) : base((nint)0, true) => _gate = gate;

    public override bool IsInvalid => handle == (nint)0;

    public void Set(nint session) => SetHandle(session);

    /// <summary>Native memory that the session borrows: freed after it.</summary>
    public void Keep(nint memory) => _memory.Add(memory);

    /// <summary>Nobody else holds a reference any more, so nobody is inside.</summary>
    protected override bool ReleaseHandle()
    {
        Api.ilc_session_destroy(handle);
        _memory.ForEach(Marshal.FreeHGlobal);
        _gate.Ended = true;
        return true;
    }
}

/// <summary>An engine or a buffer: destroyed inside its session, before the handle that it belongs to.</summary>
internal abstract class ChildHandle : SafeHandle
{
    private readonly SessionGate _gate;
    private readonly SafeHandle _parent;
    private bool _holds;

    protected ChildHandle(SessionGate gate, SafeHandle parent) : base((nint)0, true)
    {
        (_gate, _parent) = (gate, parent);
        parent.DangerousAddRef(ref _holds);
    }

    public override bool IsInvalid => handle == (nint)0;

    public void Set(nint value)
    {
        SetHandle(value);
        _gate.Count(1);
    }

    protected abstract void Destroy(nint handle);

    /// <summary>A handle that was never set holds its parent, too.</summary>
    public void Abandon()
    {
        SetHandleAsInvalid();
        LetGo();
    }

    protected override bool ReleaseHandle()
    {
        nint value = handle;
        _gate.RunOrLeave(() =>
        {
            Destroy(value);
            _gate.Count(-1);
            LetGo();
        });
        return true;
    }

    private void LetGo()
    {
        if (_holds)
            _parent.DangerousRelease();
        _holds = false;
    }
}

internal sealed class EngineHandle(SessionGate gate, SessionHandle session) : ChildHandle(gate, session)
{
    protected override void Destroy(nint engine) => Api.ilc_engine_destroy(engine);
}

internal sealed class BufferHandle(SessionGate gate, EngineHandle engine) : ChildHandle(gate, engine)
{
    protected override void Destroy(nint buffer) => Api.ilc_buffer_destroy(buffer);
}
