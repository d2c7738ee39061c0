// The instructions of a method body, by ECMA-335 Partition III.

using System.Reflection;
using System.Reflection.Emit;

namespace Closures;

internal readonly record struct Instruction(int Offset, OpCode Code, long Operand, int[] Targets, int Next)
{
    private static readonly Dictionary<int, OpCode> Table =
        typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
            .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => code.Value & 0xffff);

    /// <summary>By number, in the order of their offsets; targets are numbers of instructions.</summary>
    public static Instruction[] Read(byte[] il)
    {
        var list = new List<Instruction>();
        for (int at = 0; at < il.Length;)
        {
            int start = at, value = il[at++];
            if (value == 0xfe)
                value = 0xfe00 | il[at++];
            OpCode code = Table[value];
            long operand = 0;
            int[] targets = [];
            switch (code.OperandType)
            {
                case OperandType.InlineNone:
                    break;
                case OperandType.ShortInlineBrTarget:
                    targets = [at + 1 + (sbyte)il[at]];
                    at += 1;
                    break;
                case OperandType.InlineBrTarget:
                    targets = [at + 4 + BitConverter.ToInt32(il, at)];
                    at += 4;
                    break;
                case OperandType.InlineSwitch:
                    int count = BitConverter.ToInt32(il, at), first = at + 4, end = first + 4 * count;
                    targets = [.. Enumerable.Range(0, count).Select(k => end + BitConverter.ToInt32(il, first + 4 * k))];
                    at = end;
                    break;
                case OperandType.ShortInlineI or OperandType.ShortInlineVar:
                    operand = il[at++];
                    break;
                case OperandType.InlineVar:
                    operand = BitConverter.ToUInt16(il, at);
                    at += 2;
                    break;
                case OperandType.InlineI8 or OperandType.InlineR:
                    operand = BitConverter.ToInt64(il, at);
                    at += 8;
                    break;
                default:
                    operand = BitConverter.ToInt32(il, at);
                    at += 4;
                    break;
            }
            list.Add(new Instruction(start, code, operand, targets, at));
        }
        Dictionary<int, int> number = list.Select((one, k) => (one.Offset, k)).ToDictionary(pair => pair.Offset, pair => pair.k);
        return [.. list.Select((one, k) => one with { Targets = [.. one.Targets.Select(target => number[target])], Next = k + 1 })];
    }

    public bool Is(params ReadOnlySpan<OpCode> codes)
    {
        foreach (OpCode code in codes)
        {
            if (Code == code)
                return true;
        }
        return false;
    }

    public bool EndsFlow => Code.FlowControl is FlowControl.Return or FlowControl.Throw or FlowControl.Branch || Code == OpCodes.Jmp;
}
