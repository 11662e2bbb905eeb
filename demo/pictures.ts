import { crc32, deflateSync } from 'node:zlib'

type Color = readonly [red: number, green: number, blue: number]

/** An image of a car as PNG. The same arguments always give the same image. */
export function paintPng(size: { width: number; height: number }, sky: Color, body: Color): Buffer {
  const { width, height } = size
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (width * 3 + 1) + 1 + x * 3
      const color = colorAt(x / width, y / height, sky, body)
      rows.set(color, at)
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits for each of red, green and blue.
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND')])
}

const GROUND: Color = [86, 92, 90]
const TIRE: Color = [24, 26, 25]
const GLASS: Color = [196, 214, 222]

function colorAt(x: number, y: number, sky: Color, body: Color): Color {
  if (isIn(x, y, 0.3, 0.76, 0.075) || isIn(x, y, 0.7, 0.76, 0.075)) return TIRE
  if (y > 0.56 && y < 0.76 && x > 0.14 && x < 0.87) return body
  const slope = (y - 0.38) * 0.7
  if (y > 0.4 && y < 0.56 && x > 0.36 - slope && x < 0.66 + slope) return y > 0.43 && x < 0.64 ? GLASS : body
  if (y > 0.76) return GROUND
  return [fade(sky[0], y), fade(sky[1], y), fade(sky[2], y)]
}

/** Whether a point is in a circle, in an image with an aspect ratio of 3:2. */
function isIn(x: number, y: number, centerX: number, centerY: number, radius: number): boolean {
  return (x - centerX) ** 2 * 2.25 + (y - centerY) ** 2 < radius ** 2 * 2.25
}

const fade = (value: number, y: number): number => Math.round(value + (255 - value) * y * 0.7)

/** Length, name, content, checksum (PNG specification, section 5.3). */
function chunk(name: string, content = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A text logo as SVG. */
export function drawLogo(word: string, color: string): string {
  const width = 60 + word.length * 19
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="80" viewBox="0 0 ${width} 80">`,
    `<rect width="${width}" height="80" rx="12" fill="${color}"/>`,
    `<text x="${width / 2}" y="52" font-family="sans-serif" font-size="32" font-weight="700" fill="white" text-anchor="middle">${word}</text>`,
    '</svg>\n',
  ].join('\n')
}
