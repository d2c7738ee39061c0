// By-refs and structs as C# compiles them: class Lifts has roots that must lift, class Refused roots that must not.
// memory_lift_test.c reads Memory.dll, which is this file compiled with optimisation, and MemoryDebug.dll, without.
using System;
public struct Vec2 { public float X, Y; public Vec2(float x, float y) { X = x; Y = y; }
  public float Dot(Vec2 o) => X*o.X + Y*o.Y;
  public static Vec2 operator +(Vec2 a, Vec2 b) => new Vec2(a.X+b.X, a.Y+b.Y);
  public readonly float Len2 => X*X+Y*Y;
  public void Scale(float s) { X *= s; Y *= s; }
  public Vec2 With(float x) { var c = this; c.X = x; return c; } }
public struct Complex64 { public double Re; public double Im; public Complex64(double r, double i) { Re=r; Im=i; }
  public static Complex64 operator *(Complex64 a, Complex64 b) => new Complex64(a.Re*b.Re-a.Im*b.Im, a.Re*b.Im+a.Im*b.Re);
  public static Complex64 operator +(Complex64 a, Complex64 b) => new Complex64(a.Re+b.Re, a.Im+b.Im); }
public readonly record struct P(float A, int B);
public struct Nest { public byte B; public Vec2 V; public long L; public Vec2 W; }
public struct Pair<T,U> where T: struct where U: struct { public T First; public U Second; public Pair(T a, U b) { First=a; Second=b; } public T GetFirst() => First; }
[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)]
public struct Un { [System.Runtime.InteropServices.FieldOffset(0)] public int I; [System.Runtime.InteropServices.FieldOffset(0)] public float F; }
public struct WithRef { public float[] A; public int N; }
public static class Lifts {
  public static void Swap(ref float a, ref float b) { var t = a; a = b; b = t; }
  public static void SwapIn(float[] x, int i, int j) { Swap(ref x[i], ref x[j]); }
  public static void Inc(float[] x, int i, float a) { x[i] += a; }
  public static void IncTwice(int[] x, int i, int a) { x[i] += a; x[i]++; x[i++] *= 2; x[i] -= 1; }
  public static void IncBytes(byte[] x, int i, byte a) { x[i] += a; x[i]++; }
  public static int OutLocal(int a, int b) { DivRem(a, b, out var q, out var r); return q * 10 + r; }
  static void DivRem(int a, int b, out int q, out int r) { q = a / b; r = a % b; }
  public static double InParam(in double a, in double b) => a * b;
  public static double UseIn(double a, double b) => InParam(a, in b) + InParam(b, a + 1);
  public static float RefLocal(float[] x, int n) { float s = 0; for (int i = 0; i < n; i++) { ref float r = ref x[i]; r = r * 2; s += r; } return s; }
  public static float RefCond(float[] x, bool c, int i) { float t = 3; ref float r = ref (c ? ref x[i] : ref t); r += 1; return t + r; }
  public static short ByRefShort(short a, int n) { for (int i = 0; i < n; i++) Bump(ref a, i); return a; }
  static void Bump(ref short a, int i) { a += (short)(i * 1000); }
  public static float DotV(float a, float b, float c, float d) { var p = new Vec2(a,b); var q = new Vec2(c,d); return p.Dot(q) + (p+q).Len2; }
  public static float Fields(float a, float b) { Vec2 p; p.X = a; p.Y = b; var q = p; q.X += 1; return p.X * q.X + p.Y * q.Y; }
  public static double Mandel(double cr, double ci, int n) { var c = new Complex64(cr, ci); var z = default(Complex64); int k = 0; while (k < n && z.Re*z.Re+z.Im*z.Im <= 4) { z = z*z + c; k++; } return k + z.Re; }
  public static float Rec(float a, int b) { var p = new P(a, b); var q = p with { B = 7 }; return p.A + q.B + (p.B == q.B ? 1 : 0); }
  public static long Nested(int a, float f) { Nest n = default; n.B = (byte)a; n.V.X = f; n.V = new Vec2(f, a); n.W = n.V; n.W.Y++; n.L = a; ref var w = ref n.W; w.X = 2; return n.L + n.B + (long)n.W.X + (long)n.V.Y; }
  static (double, int) Tup(double a, int b) => (a + b, b * 2);
  public static double UseTup(double a, int b) { var (x, y) = Tup(a, b); var t = Tup(x, y); return x + y + t.Item1 * t.Item2; }
  public static int Gen(int a, long b) { var p = new Pair<int,long>(a, b); var q = new Pair<Pair<int,long>,byte>(p, 3); return q.First.GetFirst() + (int)q.First.Second + q.Second + q.GetFirst().First; }
  public static float Tern(bool c, float a) { var p = new Vec2(a, 1); var q = new Vec2(2, a); var r = c ? p : q; r.Scale(2); return r.X - r.Y + (c ? q : p).X; }
  public static float ByVal(float a) { var p = new Vec2(a, a+1); var r = Modify(p); return p.X + r.X + Modify(p.With(9)).Y; }
  static Vec2 Modify(Vec2 p) { p.X += 100; return p; }
  static void OutStruct(float a, out Vec2 v) { v = new Vec2(a, a); v.Scale(a); }
  public static float UseOut(float a) { OutStruct(a, out var v); return v.X + v.Y; }
  public static int TailFact(int n, int acc) { if (n <= 1) return acc; return TailFact(n - 1, acc * n); }
  public static int Loop2(int[] x, int n) { int s = 0; for (int i = 0; i < n; i++) { Acc(ref s, x[i]); if (s > 100) Reset(out s); } return s; }
  static void Acc(ref int s, int v) { s += v; }
  static void Reset(out int s) { s = 0; }
  public static float CopyOf(float a, int n) { Vec2 p = default, q; p.X = a; q = p; for (int i = 0; i < n; i++) { q.Y += p.X; p = q; } return p.Y; }
  public static long Wide(long a, int n) { long s = a; for (int i = 0; i < n; i++) AddTo(ref s, i); return s; }
  static void AddTo(ref long s, int i) { s += i; }
  public static int Through(int[] x, int i, ref int r) { ref int a = ref x[i]; a += r; r = a; a++; return r; }
  public static bool Flag(bool c) { Toggle(ref c); return c; }
  static void Toggle(ref bool c) { c = !c; }
  public static int Gcd(int a, int b) => b == 0 ? a : Gcd(b, a % b);
  public static int Collatz(int n, int steps) { if (n <= 1 || steps > 1000) return steps; return (n & 1) == 0 ? Collatz(n / 2, steps + 1) : Collatz(3 * n + 1, steps + 1); }
  public static int SizeOfNest() { unsafe { return sizeof(Nest); } }
  public static float TwoWays(bool c, float[] x, int i, ref float r) { ref float w = ref (c ? ref x[i] : ref r); w += 1; r *= 2; return w; }
  public static char Letters(char[] x, int i) { ref char c = ref x[i]; c++; return c; }
}
public static class Refused {
  public static int Size() => System.Runtime.CompilerServices.Unsafe.SizeOf<Nest>();
  public static int Fib(int n) => n < 2 ? n : Fib(n-1) + Fib(n-2);
  public static int Union(int a) { Un u = default; u.I = a; return (int)u.F; }
  public static float HasRef(float[] a) { WithRef w; w.A = a; w.N = 1; return w.A[w.N]; }
  public static float RootStruct(Vec2 v) => v.X;
  public static float RootRef(ref Vec2 v) => v.X;
  public static float Nullable(int? a) => a ?? 3;
  public static float Sum(Vec2[] v) { float s = 0; foreach (var p in v) s += p.X; return s; }
  public static int Even(int n) => n == 0 ? 1 : Odd(n - 1);
  static int Odd(int n) => n == 0 ? 0 : Even(n - 1);
  public static int Forever(int n) => Forever(n);
  public static float SpanOf(float[] x) { var s = x.AsSpan(); return s[0]; }
  public static unsafe int Pointer(int a) { int* p = &a; return *p + *(p + 1); }
  public static int Decimals(decimal d) => (int)d;
  public static ref float RefReturn(float[] x) => ref x[0];
  public static int ByRefNarrow(uint a) { Sign(ref System.Runtime.CompilerServices.Unsafe.As<uint, int>(ref a)); return (int)a; }
  static void Sign(ref int a) { a = -a; }
  public static int TailByRef(int n, ref int acc) { if (n == 0) return acc; int local = acc + n; return TailByRef(n - 1, ref local); }
  public static float ThisOf(object o) => ((Vec2)o).X;
}
