// Text across the border: UTF-8, ended by a zero byte.

using System.Text;

namespace Ilcuda.Interop;

internal static unsafe class Utf8
{
    /// <summary>The text at <paramref name="at"/>; null for a null pointer.</summary>
    public static string? Text(nint at)
    {
        if (at == 0)
            return null;
        byte* bytes = (byte*)at;
        int length = 0;
        while (bytes[length] != 0)
            length++;
        return length == 0 ? "" : Encoding.UTF8.GetString(bytes, length);
    }

    /// <summary>The text's bytes with the zero byte; null (which `fixed` makes a null pointer) for null.</summary>
    public static byte[]? Bytes(string? text)
    {
        if (text == null)
            return null;
        byte[] bytes = new byte[Encoding.UTF8.GetByteCount(text) + 1];
        Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, 0);
        return bytes;
    }
}
