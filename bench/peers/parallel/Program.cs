// The tutorial's methods on CoreCLR, rows dealt out by Parallel.For: least milliseconds of each and of all four together.
using System;
using System.Diagnostics;
using System.Threading.Tasks;

int n = int.Parse(args[0]), times = int.Parse(args[1]);
var random = new Random(7);
float[] x = new float[n * n], sum = new float[n], squares = new float[n], dot = new float[n * n], cell = new float[n * n];
for (int i = 0; i < x.Length; i++) x[i] = random.NextSingle() * 2 - 1;

double Time(Action<int> row)
{
    var watch = Stopwatch.StartNew();
    Parallel.For(0, n, row);
    return watch.Elapsed.TotalMilliseconds;
}

double best = double.MaxValue, bestDot = double.MaxValue;
for (int t = 0; t < times; t++)
{
    double rows = Time(i => { sum[i] = PearsonMetrics.RowSum(x, n, i); squares[i] = PearsonMetrics.RowSumSq(x, n, i); });
    double gram = Time(i => { for (int j = 0; j < n; j++) dot[i * n + j] = PearsonMetrics.GramDot(x, n, i, j); });
    double cells = Time(i => { for (int j = 0; j < n; j++) cell[i * n + j] = PearsonMetrics.CorrelationCell(dot, sum, squares, n, n, i, j); });
    best = Math.Min(best, rows + gram + cells);
    bestDot = Math.Min(bestDot, gram);
}
Console.WriteLine(FormattableString.Invariant($"{bestDot} {best}"));
