// One method body: instructions with labels, stack depth followed on the way, short branches where they reach.

using System.Buffers.Binary;
using System.Reflection.Emit;
using System.Reflection.Metadata;

namespace Generator;

internal sealed class Body
{
    internal sealed class Label
    {
        public int Position = -1; // instruction that it stands before
        public int Depth = -1;    // values on the stack there
    }

    private readonly record struct Instruction(OpCode Op, long Bits, Label[]? Targets);

    private static readonly Dictionary<ushort, OpCode> Opcodes = typeof(OpCodes).GetFields()
        .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(op => (ushort)op.Value);

    // The long forms of branches, and their short forms' codes.
    private static readonly Dictionary<OpCode, OpCode> Short = new()
    {
        [OpCodes.Br] = OpCodes.Br_S, [OpCodes.Brtrue] = OpCodes.Brtrue_S, [OpCodes.Brfalse] = OpCodes.Brfalse_S,
        [OpCodes.Beq] = OpCodes.Beq_S, [OpCodes.Bne_Un] = OpCodes.Bne_Un_S, [OpCodes.Blt] = OpCodes.Blt_S,
        [OpCodes.Blt_Un] = OpCodes.Blt_Un_S, [OpCodes.Ble] = OpCodes.Ble_S, [OpCodes.Ble_Un] = OpCodes.Ble_Un_S,
        [OpCodes.Bgt] = OpCodes.Bgt_S, [OpCodes.Bgt_Un] = OpCodes.Bgt_Un_S, [OpCodes.Bge] = OpCodes.Bge_S,
        [OpCodes.Bge_Un] = OpCodes.Bge_Un_S,
    };

    private readonly List<Instruction> _code = [];
    private readonly List<Label> _labels = [];
    private int _depth;

    public int MaxStack { get; private set; }
    public bool LongBranches { get; init; } // keep the long forms, also where the short ones reach
    public int Count => _code.Count;
    public int Depth => _depth;

    public void Op(ILOpCode op) => Add(Opcodes[(ushort)op], 0, null);

    public void Op(ILOpCode op, long operand) => Add(Opcodes[(ushort)op], operand, null);

    public void Ldc(int value)
    {
        if (value is >= -1 and <= 8)
            Op((ILOpCode)((int)ILOpCode.Ldc_i4_0 + value));
        else if (value is >= sbyte.MinValue and <= sbyte.MaxValue)
            Op(ILOpCode.Ldc_i4_s, value);
        else
            Op(ILOpCode.Ldc_i4, value);
    }

    public void Ldc(long value) => Op(ILOpCode.Ldc_i8, value);

    public void Ldc(float value) => Op(ILOpCode.Ldc_r4, BitConverter.SingleToInt32Bits(value));

    public void Ldc(double value) => Op(ILOpCode.Ldc_r8, BitConverter.DoubleToInt64Bits(value));

    public void Ldarg(int n) => Slot(n, ILOpCode.Ldarg_0, ILOpCode.Ldarg_s, ILOpCode.Ldarg);

    public void Starg(int n) => Op(n < 256 ? ILOpCode.Starg_s : ILOpCode.Starg, n);

    public void Ldloc(int n) => Slot(n, ILOpCode.Ldloc_0, ILOpCode.Ldloc_s, ILOpCode.Ldloc);

    public void Stloc(int n) => Slot(n, ILOpCode.Stloc_0, ILOpCode.Stloc_s, ILOpCode.Stloc);

    private void Slot(int n, ILOpCode first, ILOpCode brief, ILOpCode full)
    {
        if (n < 4)
            Op((ILOpCode)((int)first + n));
        else
            Op(n < 256 ? brief : full, n);
    }

    public void Call(int token, int arguments, bool result)
    {
        Emit(OpCodes.Call, token, null);
        Move(-arguments);
        Move(result ? 1 : 0);
    }

    public void Newobj(int constructor, int arguments)
    {
        Emit(OpCodes.Newobj, constructor, null);
        Move(-arguments);
        Move(1);
    }

    public void Ret(bool value)
    {
        Emit(OpCodes.Ret, 0, null);
        Move(value ? -1 : 0);
    }

    /// <summary>A place to which the body can be put back: what was written since is forgotten.</summary>
    public (int, int) Save() => (_code.Count, _depth);

    public void Restore((int Count, int Depth) saved) => Keep(saved, saved.Count, saved.Count, saved.Depth);

    /// <summary>Forgets what was written since, but for the instructions from one place to another.</summary>
    public void Keep((int Count, int Depth) saved, int from, int to, int depth)
    {
        _code.RemoveRange(to, _code.Count - to);
        _code.RemoveRange(saved.Count, from - saved.Count);
        foreach (Label label in _labels)
        {
            if (label.Position > saved.Count)
                label.Position = label.Position >= from && label.Position <= to ? label.Position - (from - saved.Count) : -1;
        }
        _depth = depth;
        Reachable = true;
    }

    /// <summary>From this instruction on Int32.MinValue is not subtracted any more: CoreCLR's code for a debugger takes
    /// 0 - Int32.MinValue for 2^31 where it is divided or divides (docs/testing.md).</summary>
    public void SubtractNoMinimum(int from)
    {
        for (int k = from; k + 1 < _code.Count; k++)
        {
            if (_code[k].Op == OpCodes.Ldc_I4 && _code[k].Bits == int.MinValue && _code[k + 1].Op == OpCodes.Sub)
                _code[k] = _code[k] with { Bits = int.MinValue + 1 };
        }
    }

    public void Ldloca(int n) => Op(n < 256 ? ILOpCode.Ldloca_s : ILOpCode.Ldloca, n);

    public void Ldarga(int n) => Op(n < 256 ? ILOpCode.Ldarga_s : ILOpCode.Ldarga, n);

    public Label NewLabel()
    {
        var label = new Label();
        _labels.Add(label);
        return label;
    }

    public void Branch(ILOpCode op, Label target)
    {
        Add(Opcodes[(ushort)op], 0, [target]);
        Arrive(target);
    }

    public void Switch(params Label[] targets)
    {
        Add(OpCodes.Switch, 0, targets);
        foreach (Label target in targets)
            Arrive(target);
    }

    /// <summary>Places the label here. After an unconditional jump the depth is that of the jumps to it.</summary>
    public void Mark(Label label)
    {
        label.Position = _code.Count;
        if (Reachable)
            Arrive(label);
        _depth = Math.Max(label.Depth, 0);
        label.Depth = _depth;
        Reachable = true;
    }

    /// <summary>Whether control comes here: false after a jump, until a label is placed.</summary>
    public bool Reachable { get; private set; } = true;

    private void Arrive(Label label)
    {
        if (label.Depth >= 0 && label.Depth != _depth)
            throw new InvalidOperationException($"stack depth {_depth} meets {label.Depth}");
        label.Depth = _depth;
    }

    private void Add(OpCode op, long bits, Label[]? targets)
    {
        Emit(op, bits, targets);
        Move(Change(op.StackBehaviourPop));
        Move(Change(op.StackBehaviourPush));
    }

    private void Emit(OpCode op, long bits, Label[]? targets)
    {
        _code.Add(new Instruction(op, bits, targets));
        Reachable = op.FlowControl is not (FlowControl.Branch or FlowControl.Return or FlowControl.Throw);
    }

    private void Move(int change)
    {
        _depth += change;
        if (_depth < 0)
            throw new InvalidOperationException("the stack is empty");
        MaxStack = Math.Max(MaxStack, _depth);
    }

    private static int Change(StackBehaviour behaviour) => behaviour switch
    {
        StackBehaviour.Pop0 or StackBehaviour.Push0 => 0,
        StackBehaviour.Pop1 or StackBehaviour.Popi or StackBehaviour.Popref => -1,
        StackBehaviour.Pop1_pop1 or StackBehaviour.Popi_pop1 or StackBehaviour.Popi_popi or StackBehaviour.Popi_popi8
            or StackBehaviour.Popi_popr4 or StackBehaviour.Popi_popr8 or StackBehaviour.Popref_pop1 or StackBehaviour.Popref_popi => -2,
        StackBehaviour.Popref_popi_popi or StackBehaviour.Popref_popi_popi8 or StackBehaviour.Popref_popi_popr4
            or StackBehaviour.Popref_popi_popr8 or StackBehaviour.Popref_popi_popref or StackBehaviour.Popref_popi_pop1 => -3,
        StackBehaviour.Push1_push1 => 2,
        StackBehaviour.Push1 or StackBehaviour.Pushi or StackBehaviour.Pushi8 or StackBehaviour.Pushr4
            or StackBehaviour.Pushr8 or StackBehaviour.Pushref => 1,
        _ => throw new InvalidOperationException($"{behaviour} needs a method of its own"),
    };

    /// <summary>The bytes. Branches start short and grow until all reach.</summary>
    public byte[] Encode()
    {
        if (_code.Any(instruction => instruction.Targets?.Any(target => target.Position < 0) == true))
            throw new InvalidOperationException("a jump to a place that is not there");
        var isLong = new bool[_code.Count];
        Array.Fill(isLong, LongBranches);
        var offsets = new int[_code.Count + 1];
        for (bool grew = true; grew;)
        {
            grew = false;
            for (int k = 0; k < _code.Count; k++)
                offsets[k + 1] = offsets[k] + Size(_code[k], isLong[k]);
            for (int k = 0; k < _code.Count; k++)
            {
                if (isLong[k] || !Short.ContainsKey(_code[k].Op))
                    continue;
                int distance = offsets[_code[k].Targets![0].Position] - offsets[k + 1];
                if (distance is < sbyte.MinValue or > sbyte.MaxValue)
                    isLong[k] = grew = true;
            }
        }
        var bytes = new byte[offsets[^1]];
        for (int k = 0; k < _code.Count; k++)
            Write(bytes.AsSpan(offsets[k]), k, isLong[k], offsets);
        return bytes;
    }

    private static int Size(Instruction instruction, bool isLong)
    {
        OpCode op = instruction.Op;
        if (Short.TryGetValue(op, out OpCode brief) && !isLong)
            return brief.Size + 1;
        return op.Size + op.OperandType switch
        {
            OperandType.InlineNone => 0,
            OperandType.ShortInlineI or OperandType.ShortInlineVar or OperandType.ShortInlineBrTarget => 1,
            OperandType.InlineVar => 2,
            OperandType.InlineI8 or OperandType.InlineR => 8,
            OperandType.InlineSwitch => 4 + 4 * instruction.Targets!.Length,
            _ => 4,
        };
    }

    private void Write(Span<byte> to, int index, bool isLong, int[] offsets)
    {
        Instruction instruction = _code[index];
        bool isShort = Short.TryGetValue(instruction.Op, out OpCode brief) && !isLong;
        OpCode op = isShort ? brief : instruction.Op;
        if (op.Size == 2)
            to[0] = (byte)(op.Value >> 8);
        to[op.Size - 1] = (byte)op.Value;
        to = to[op.Size..];

        int next = offsets[index + 1];
        if (op.OperandType == OperandType.InlineSwitch)
        {
            BinaryPrimitives.WriteInt32LittleEndian(to, instruction.Targets!.Length);
            for (int k = 0; k < instruction.Targets.Length; k++)
                BinaryPrimitives.WriteInt32LittleEndian(to[(4 + 4 * k)..], offsets[instruction.Targets[k].Position] - next);
            return;
        }
        long bits = instruction.Targets is { } targets ? offsets[targets[0].Position] - next : instruction.Bits;
        int size = Size(instruction, isLong) - op.Size;
        for (int k = 0; k < size; k++)
            to[k] = (byte)(bits >> (8 * k));
    }
}
