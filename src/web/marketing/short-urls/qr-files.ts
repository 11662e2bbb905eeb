import { drawQrCode } from '#web/ui/controls/draw-qr-code.ts'

/** Sharp when it is printed 4 in wide. */
const PNG_PIXELS = 1_200

/** The QR code of an address as an SVG file, for print shops. */
export function svgFile(address: string, name: string): File {
  const { side, path } = drawQrCode(address)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${path}"/></svg>\n`
  return new File([svg], `${name}.svg`, { type: 'image/svg+xml' })
}

/** The QR code of an address as a PNG file, in whole pixels for each module. */
export async function pngFile(address: string, name: string): Promise<File> {
  const { side, path } = drawQrCode(address)
  const scale = Math.ceil(PNG_PIXELS / side)
  const canvas = new OffscreenCanvas(side * scale, side * scale)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser draws no pictures.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  context.fillStyle = '#000'
  context.fill(new Path2D(path))
  return new File([await canvas.convertToBlob({ type: 'image/png' })], `${name}.png`, { type: 'image/png' })
}
