import { create } from 'qrcode'

/** Quiet zone around the code, in modules, so that cameras find its edge. */
const QUIET = 4

/**
 * A QR code drawn in the browser, so its content isn't sent anywhere. Dark on light in both color schemes, as
 * cameras need it.
 */
export function QrCode({ text }: { text: string }) {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  const path = Array.from(data, (isDark, at) =>
    isDark ? `M${(at % size) + QUIET} ${Math.floor(at / size) + QUIET}h1v1h-1z` : '',
  ).join('')
  const side = size + QUIET * 2
  return (
    <figure className="fc-qr" aria-label="QR code for your authenticator app">
      <svg viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" aria-hidden="true">
        <path d={path} />
      </svg>
    </figure>
  )
}
