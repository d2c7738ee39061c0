// Statements and expressions by number, so that one can be cut out of a program whose seed is known: the random
// numbers are drawn as before, and what they wrote is replaced by nothing, by a constant, or by a part of itself.

namespace Generator;

/// <summary>A statement (Value null) or an expression, its parent, its instructions, the values that lie below it.</summary>
internal sealed record Node(int Parent, Stack? Value, int Size, int Depth);

internal sealed partial class MethodMaker
{
    /// <summary>A cut's value from here on is a node inside, which stays in place of the whole.</summary>
    private const int FirstKept = 10;

    private readonly record struct Open(int Node, (int Count, int Depth) Saved);

    private readonly List<Node> _nodes = [];
    private readonly List<(int From, int To)> _ranges = []; // of the nodes: their instructions, From -1 where they are gone
    private readonly Stack<Open> _open = [];
    private IReadOnlyDictionary<int, int> _cuts = new Dictionary<int, int>(); // node, and what stands for its value
    private int _removed;

    /// <summary>Instructions that the method would have if nothing were cut.</summary>
    private int Written => _body.Count + _removed;

    private int Enter()
    {
        _nodes.Add(new Node(_open.TryPeek(out Open parent) ? parent.Node : -1, null, 0, _body.Depth));
        _ranges.Add((-1, -1));
        _open.Push(new Open(_nodes.Count - 1, _body.Save()));
        return _nodes.Count - 1;
    }

    private void Leave(int node, Stack? value)
    {
        Open open = _open.Pop();
        int written = Written;
        if (_cuts.TryGetValue(node, out int instead))
        {
            Cut(open, value, instead);
            _removed = written - _body.Count;
        }
        _nodes[node] = _nodes[node] with { Value = value, Size = _body.Count - open.Saved.Count };
        _ranges[node] = (open.Saved.Count, _body.Count);
    }

    private void Cut(Open open, Stack? value, int instead)
    {
        (int start, int depth) = open.Saved;
        int kept = instead - FirstKept;
        if (kept > open.Node && kept < _nodes.Count && _ranges[kept].From >= 0 && _nodes[kept].Value == value && _nodes[kept].Depth == depth)
        {
            (int from, int to) = _ranges[kept];
            _body.Keep(open.Saved, from, to, depth + (value == null ? 0 : 1));
            Forget(open.Node, start, from, to);
            return;
        }
        _body.Restore(open.Saved);
        Forget(open.Node, start, start, start);
        if (value is { } stack)
            Number(stack, instead);
    }

    /// <summary>What was known of the instructions behind the start, of which only those from here to there are left.</summary>
    private void Forget(int node, int start, int from, int to)
    {
        for (int k = node + 1; k < _ranges.Count; k++)
        {
            (int first, int last) = _ranges[k];
            _ranges[k] = first >= from && last <= to && to > from ? (first - (from - start), last - (from - start)) : (-1, -1);
        }
        for (int k = _callees.Count - 1; k >= 0 && _callees[k].At >= start; k--)
        {
            if (_callees[k].At >= from && _callees[k].At < to)
                _callees[k] = (_callees[k].At - (from - start), _callees[k].Number);
            else
                _callees.RemoveAt(k);
        }
    }
}
