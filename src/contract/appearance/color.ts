/** A color in OKLCH, where equal steps look equal: lightness 0..1, chroma and hue in radians. */
export type Lch = Readonly<{ lightness: number; chroma: number; hue: number }>
type Triple = readonly [number, number, number]

/** Parses `#rgb` or `#rrggbb`, with or without the hash, into channels of 0..1. Throws for anything else. */
export function parseHex(text: string): Triple {
  const digits = text.trim().replace(/^#/, '').toLowerCase()
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  if (!/^[0-9a-f]{6}$/.test(full)) throw new Error(`Not a color: ${text}`)
  const value = Number.parseInt(full, 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

/** The WCAG 2 contrast ratio of two colors: 1 to 21. */
export function contrast(one: string, other: string): number {
  const a = luminance(one) + 0.05
  const b = luminance(other) + 0.05
  return a > b ? a / b : b / a
}

/** Whether a color reaches a contrast ratio on every given surface. */
export function standsOut(hex: string, surfaces: readonly string[], ratio: number): boolean {
  return surfaces.every((surface) => contrast(hex, surface) >= ratio)
}

/** Converts a color to OKLCH (Björn Ottosson, "A perceptual color space for image processing", 2020). */
export function toLch(hex: string): Lch {
  const [red, green, blue] = linear(parseHex(hex))
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

/** The nearest color in sRGB: lightness and hue are kept, chroma is reduced until it fits. */
export function toHex(color: Lch): string {
  const exact = channels(color)
  if (isShown(exact)) return formatHex(exact)
  let fits = 0
  let tooMuch = color.chroma
  // Twelve halvings leave an error far below one step of an 8-bit channel.
  for (let step = 0; step < 12; step += 1) {
    const chroma = (fits + tooMuch) / 2
    if (isShown(channels({ ...color, chroma }))) fits = chroma
    else tooMuch = chroma
  }
  return formatHex(channels({ ...color, chroma: fits }))
}

function channels({ lightness, chroma, hue }: Lch): Triple {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    encode(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    encode(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    encode(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ]
}

function luminance(hex: string): number {
  const [red, green, blue] = linear(parseHex(hex))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear([red, green, blue]: Triple): Triple {
  return [decode(red), decode(green), decode(blue)]
}

// The transfer curve of sRGB and its inverse (IEC 61966-2-1).
function decode(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

function encode(light: number): number {
  if (light <= 0.0031308) return 12.92 * light
  return 1.055 * light ** (1 / 2.4) - 0.055
}

const TOLERANCE = 0.001

function isShown(triple: Triple): boolean {
  return triple.every((channel) => channel >= -TOLERANCE && channel <= 1 + TOLERANCE)
}

function formatHex(triple: Triple): string {
  const bytes = triple.map((channel) => Math.round(Math.min(1, Math.max(0, channel)) * 255))
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
