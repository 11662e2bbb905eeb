import { create } from 'qrcode'

/** Quiet zone around the code, in modules, so that cameras find its edge. */
const QUIET = 4

/** A QR code as an SVG path in a square of `side` modules. */
export function drawQrCode(text: string): { side: number; path: string } {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  const path = Array.from(data, (isDark, at) =>
    isDark ? `M${(at % size) + QUIET} ${Math.floor(at / size) + QUIET}h1v1h-1z` : '',
  ).join('')
  return { side: size + QUIET * 2, path }
}
