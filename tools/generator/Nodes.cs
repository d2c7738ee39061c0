// Statements and expressions by number, so that one can be cut out of a program whose seed is known: the random
// numbers are drawn as before, and what they wrote is replaced by nothing, or by a constant.

namespace Generator;

/// <summary>A statement (Stack null) or an expression: its parent and how many instructions it took.</summary>
internal sealed record Node(int Parent, bool IsStatement, int Size);

internal sealed partial class MethodMaker
{
    private readonly record struct Open(int Node, (int, int) Saved);

    private readonly List<Node> _nodes = [];
    private readonly Stack<Open> _open = [];
    private IReadOnlyDictionary<int, int> _cuts = new Dictionary<int, int>(); // node, and what stands for its value
    private int _removed;

    /// <summary>Instructions that the method would have if nothing were cut.</summary>
    private int Written => _body.Count + _removed;

    private int Enter()
    {
        _nodes.Add(new Node(_open.TryPeek(out Open parent) ? parent.Node : -1, false, 0));
        _open.Push(new Open(_nodes.Count - 1, _body.Save()));
        return _nodes.Count - 1;
    }

    private void Leave(int node, Stack? value)
    {
        Open open = _open.Pop();
        int size = _body.Count - open.Saved.Item1, written = Written;
        _nodes[node] = new Node(_nodes[node].Parent, value == null, size);
        if (!_cuts.TryGetValue(node, out int constant))
            return;
        _body.Restore(open.Saved);
        _callees.RemoveAll(call => call.At >= open.Saved.Item1);
        if (value is { } stack)
            Number(stack, constant);
        _removed = written - _body.Count;
    }
}
