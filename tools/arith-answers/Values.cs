// The edge values of each stack type.
using System;
using System.Linq;

static class Values
{
    public static object[] Edges(string type) => type switch {
        "i4" => I4.Cast<object>().ToArray(), "i8" => I8.Cast<object>().ToArray(),
        "r4" => R4.Cast<object>().ToArray(), _ => R8.Cast<object>().ToArray() };

    public static object[] Few(string type) => type switch {
        "i4" => new object[] { 0, 1, -1, 2, 31, 33, int.MaxValue, int.MinValue, -7 },
        "i8" => new object[] { 0L, 1L, -1L, 2L, 31L, 33L, 65L, (long)int.MaxValue, (long)int.MinValue, 0xffffffffL, 1L << 32, long.MaxValue, long.MinValue },
        "r4" => new object[] { 0f, -0f, 1f, -1f, 0.1f, 16777216f, float.MaxValue, float.Epsilon, float.PositiveInfinity, float.NegativeInfinity, float.NaN },
        _ => new object[] { 0d, -0d, 1d, -1d, 0.1, 16777217d, double.MaxValue, double.Epsilon, double.PositiveInfinity, double.NegativeInfinity, double.NaN } };

    public static object[] Many(string type) => type switch {
        "i4" => I4.Concat(MoreI4).Distinct().Cast<object>().ToArray(),
        "i8" => I8.Concat(MoreI8).Distinct().Cast<object>().ToArray(),
        "r4" => R4.Concat(Around.Select(d => (float)d)).Concat(Around.Select(d => MathF.BitIncrement((float)d)))
            .Concat(Around.Select(d => MathF.BitDecrement((float)d))).GroupBy(BitConverter.SingleToUInt32Bits).Select(g => (object)g.First()).ToArray(),
        _ => R8.Concat(Around).Concat(Around.Select(Math.BitIncrement)).Concat(Around.Select(Math.BitDecrement))
            .GroupBy(BitConverter.DoubleToUInt64Bits).Select(g => (object)g.First()).ToArray() };

    static readonly int[] I4 = {
        0, 1, 2, 3, 5, 7, 10, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 32767, 32768, 46340, 46341, 65535, 65536,
        1000003, 0x12345678, 0x3fffffff, 0x40000000, int.MaxValue - 1, int.MaxValue, int.MinValue, int.MinValue + 1,
        unchecked((int)0xc0000000), unchecked((int)0xdeadbeef), -65536, -32769, -32768, -129, -128, -46341, -10, -7, -3, -2, -1 };

    static readonly int[] MoreI4 = {
        4, 6, 8, 9, 15, 16, 17, 126, 129, 200, 254, 257, 511, 512, 1023, 1024, 4095, 4096, 8191, 16383, 16384, 32766, 32769,
        65534, 65537, 99999, 131071, 1 << 20, (1 << 24) - 1, 1 << 24, (1 << 24) + 1, (1 << 24) + 3, 33554435, (1 << 25) + 1,
        0x7f7f7f7f, 0x55555555, unchecked((int)0xaaaaaaaa), unchecked((int)0x80808080), 2147483520, 2147483583, 2147483584,
        2147483585, -4, -5, -6, -8, -16, -31, -32, -33, -63, -64, -100, -127, -130, -255, -256, -257, -32767, -65535, -65537,
        -16777217, -2147483520, -2147483583, unchecked((int)0xffff00ff), 0x00ff00ff };

    static readonly long[] I8 = {
        0, 1, 2, 3, 7, 10, 31, 32, 63, 64, 100, 127, 255, 65535, int.MaxValue, 1L << 31, uint.MaxValue, 1L << 32, (1L << 32) + 1,
        3037000499, 3037000500, 4294967296L * 3, 1L << 53, (1L << 53) + 1, 0x123456789abcdef0, 1L << 62, long.MaxValue - 1, long.MaxValue,
        long.MinValue, long.MinValue + 1, unchecked((long)0xc000000000000000), unchecked((long)0xdeadbeefcafebabe),
        -(1L << 32), -(1L << 31) - 1, int.MinValue, -3037000500, -65536, -129, -128, -10, -7, -3, -2, -1 };

    static readonly long[] MoreI8 = {
        5, 128, 129, 254, 256, 257, 32767, 32768, 32769, 65534, 65536, 65537, int.MaxValue - 1L, uint.MaxValue - 1L, (1L << 24) - 1, 1L << 24,
        (1L << 24) + 1, (1L << 24) + 3, (1L << 53) - 1, (1L << 53) + 2, (1L << 53) + 3, (1L << 54) + 2, (1L << 54) + 6, (1L << 60) + 1, (1L << 61) + 129,
        (1L << 61) + 128, (1L << 62) - 1, (1L << 62) + 256, (1L << 62) + 512, 0x7fffffffffffffbf, 0x7fffffffffffffff - 511, 0x7fffffffffffffff - 512, 0x7ffffffffffffc00,
        0x7ffffffffffffdff, 0x7ffffffffffffe00, 0x7ffffffffffffe01, 0x7fffff8000000000, 0x7fffffbfffffffff, 0x7fffffc000000000, 0x7fffffc000000001, 0x8000008000000,
        0x4000004000000001, 0x4000004000000000, 0x4000003fffffffff, unchecked((long)0x8000008000000001), unchecked((long)0x8000008000000000), unchecked((long)0x80000080000000ff),
        unchecked((long)0x8000000000000401), unchecked((long)0x8000000000000400), unchecked((long)0x8000000000000800), unchecked((long)0x8000000000000c00), unchecked((long)0xfffffffffffffbff), unchecked((long)0xfffffffffffffc00),
        unchecked((long)0xfffffffffffffc01), unchecked((long)0xffffff7fffffffff), unchecked((long)0xffffff8000000000), -4, -127, -130, -255, -256, -32767, -32768, -32769, -65535, -65537, int.MinValue + 1L };

    static readonly float[] R4 = {
        0f, -0f, 1f, -1f, 0.5f, -0.5f, 1.5f, -1.5f, 2f, 2.5f, -2.5f, 3f, 0.1f, -0.1f, 0.3f, 1f / 3, 3.1415927f, 10f, -7f, 5.5f, 100f, 1e10f, -1e10f,
        8388607.5f, 16777216f, 16777215f, 1.0000001f, 0.99999994f, 123456.79f, 1e20f, -1e20f, 1e-20f, 1e38f, float.MaxValue, float.MinValue,
        1.17549435e-38f, 1.1754942e-38f, float.Epsilon, -float.Epsilon, float.PositiveInfinity, float.NegativeInfinity, float.NaN,
        BitConverter.UInt32BitsToSingle(0x7fc12345), 6e-39f };

    static readonly double[] R8 = {
        0d, -0d, 1d, -1d, 0.5, -0.5, 1.5, -1.5, 2d, 2.5, -2.5, 3d, 0.1, -0.1, 0.3, 1d / 3, Math.PI, 10d, -7d, 5.5, 100d, 1e10, -1e10,
        0.49999999999999994, 4503599627370495.5, 4503599627370497d, 9007199254740992d, 9007199254740993d, 1.0000000000000002, 0.9999999999999999, 1e100, -1e100, 1e-100, 1e308, double.MaxValue, double.MinValue,
        2.2250738585072014e-308, 2.225073858507201e-308, double.Epsilon, -double.Epsilon, double.PositiveInfinity, double.NegativeInfinity, double.NaN,
        BitConverter.UInt64BitsToDouble(0x7ff8123456789abc), 1e-310 };

    static readonly double[] Around = {
        -0.9, -0.99999999, 126.5, 127d, 127.5, 128d, -128d, -128.5, -129d, 255d, 255.5, 256d, 32767d, 32767.5, 32768d, -32768d, -32768.9, -32769d, 65535d, 65535.9, 65536d,
        2147483647d, 2147483648d, 2147483647.5, 2147483520d, -2147483648d, -2147483648.9, -2147483649d, -2147483904d, 4294967295d, 4294967295.5, 4294967296d, 4294967040d, 3e9,
        9223372036854774784d, 9223372036854775808d, -9223372036854775808d, 18446744073709549568d, 18446744073709551616d, 9223371487098961920d, 18446742974197923840d,
        8388608.5, 8388609.5, 33554433d, 16777217d, 16777219d, 65578d, 1e19, -1e19, 3.5, -3.5, 4.5, 1e-45, 3.4028235677973366e38, 1.401298464324817e-45, 7.006492321624085e-46 };
}
