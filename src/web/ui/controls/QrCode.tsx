import { drawQrCode } from './draw-qr-code.ts'
import './qr-code.css'

/**
 * A QR code drawn in the browser, so its content isn't sent anywhere. Dark on light in both color schemes, as
 * cameras need it.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { side, path } = drawQrCode(text)
  return (
    <figure className="fc-qr" aria-label={label}>
      <svg viewBox={`0 0 ${side} ${side}`} shapeRendering="crispEdges" aria-hidden="true">
        <path d={path} />
      </svg>
    </figure>
  )
}
