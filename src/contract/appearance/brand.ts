import { contrast, standsOut, toHex, toLch, type Lch } from './colour.ts'
import { neutral, type Scheme, series, status } from './tokens.ts'

/**
 * What one brand colour becomes in one scheme. `fill` and `fillHover` carry `onFill` at 4.5:1 and stand at 3:1
 * on page, chrome and tint; `text` reaches 4.5:1 on every surface and tint; `ring` 3:1; every ink stays
 * readable on the tints.
 */
export type BrandShades = Readonly<{
  fill: string
  fillHover: string
  onFill: string
  text: string
  tint: string
  tintHover: string
  tintLine: string
  ring: string
  /** Top and bottom of the sign-in panel: the brand's darkest shade in both schemes, white at 4.5:1 on both. */
  panel: string
  panelDeep: string
}>

const WHITE = '#ffffff'
const NEAR_BLACK = '#0c110f'
const STEP = 0.005

/** Lightness and the most chroma of the quiet shades. */
const quiet = {
  light: { tint: [0.965, 0.017], tintHover: [0.955, 0.021], tintLine: [0.87, 0.05] },
  dark: { tint: [0.262, 0.035], tintHover: [0.282, 0.04], tintLine: [0.38, 0.055] },
} as const

/** Derives the shades of any hex: the hue is kept, lightness moves only as far as contrast asks. */
export function deriveBrand(hex: string, scheme: Scheme): BrandShades {
  const brand = toLch(hex)
  const { page, chrome, sunken, raised } = neutral[scheme]
  const tint = soften(brand, quiet[scheme].tint)
  const tintHover = soften(brand, quiet[scheme].tintHover)
  const around = [page, chrome, tint]
  // In the light scheme a shade that is too weak gets darker, in the dark scheme lighter.
  const direction = scheme === 'light' ? -1 : 1
  // A very dark brand starts from the middle in the dark scheme; otherwise its fill would glow grey.
  const start = scheme === 'light' ? brand : { ...brand, lightness: Math.max(brand.lightness, 0.5) }
  const legible = { ...brand, chroma: Math.min(brand.chroma, 0.15) }
  return {
    ...findFill(start, { around, direction }),
    text: move(legible, direction, (text) => standsOut(text, [...around, sunken, raised, tintHover], 4.5)),
    tint,
    tintHover,
    tintLine: soften(brand, quiet[scheme].tintLine),
    ring: move(start, direction, (ring) => standsOut(ring, [...around, raised], 3)),
    panel: shade(brand, 0.42),
    panelDeep: shade(brand, 0.28),
  }
}

/** The variables of one scheme, ours (`--fc-*`) only: the server may write them before the first paint. */
export function schemeVariables(scheme: Scheme, brand: string): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const [name, value] of Object.entries(neutral[scheme])) variables[`--fc-${dashed(name)}`] = value
  for (const [name, value] of Object.entries(deriveBrand(brand, scheme))) {
    variables[`--fc-brand-${dashed(name)}`] = value
  }
  for (const [name, { text, mark, tint }] of Object.entries(status[scheme])) {
    variables[`--fc-${name}`] = text
    variables[`--fc-${name}-mark`] = mark
    variables[`--fc-${name}-tint`] = tint
  }
  for (const [index, value] of series[scheme].entries()) variables[`--fc-series-${index + 1}`] = value
  return variables
}

/** Both schemes as a style sheet, for the page the server sends: the right colours stand before any script runs. */
export function brandStyleSheet(brand: string): string {
  const write = (scheme: Scheme) =>
    Object.entries(schemeVariables(scheme, brand))
      .map(([name, value]) => `${name}:${value}`)
      .join(';')
  const dark = write('dark')
  return (
    `:root{${write('light')}}` +
    `:root[data-mantine-color-scheme="dark"]{${dark}}` +
    `@media (prefers-color-scheme:dark){:root:not([data-mantine-color-scheme]){${dark}}}`
  )
}

type Ground = { around: string[]; direction: 1 | -1 }

function findFill(start: Lch, { around, direction }: Ground) {
  for (let lightness = start.lightness; lightness > 0 && lightness < 1; lightness += direction * STEP) {
    const found = fillAt({ ...start, lightness }, around)
    if (found) return found
  }
  // Black or white: one of them stands out on any surface.
  const end = { ...start, lightness: direction < 0 ? 0.2 : 0.97 }
  return { fill: toHex(end), onFill: direction < 0 ? WHITE : NEAR_BLACK, fillHover: toHex(end) }
}

/** Hover moves away from its own text; less far, or the other way, where that would meet the surface. */
const HOVER_STEPS = [0.045, 0.03, -0.02, -0.06, -0.09] as const

function fillAt(colour: Lch, around: string[]) {
  const fill = toHex(colour)
  const onFill = contrast(WHITE, fill) >= contrast(NEAR_BLACK, fill) ? WHITE : NEAR_BLACK
  const works = (hex: string) => contrast(onFill, hex) >= 4.5 && standsOut(hex, around, 3)
  if (!works(fill)) return null
  const away = onFill === WHITE ? -1 : 1
  const hovers = HOVER_STEPS.map((step) => toHex({ ...colour, lightness: colour.lightness + away * step }))
  const fillHover = hovers.find((hex) => hex !== fill && works(hex))
  return fillHover === undefined ? null : { fill, onFill, fillHover }
}

function move(start: Lch, direction: 1 | -1, isEnough: (hex: string) => boolean): string {
  for (let lightness = start.lightness; lightness > 0 && lightness < 1; lightness += direction * STEP) {
    const hex = toHex({ ...start, lightness })
    if (isEnough(hex)) return hex
  }
  return direction < 0 ? '#000000' : WHITE
}

function soften(brand: Lch, [lightness, most]: readonly [number, number]): string {
  return toHex({ lightness, chroma: Math.min(brand.chroma, most), hue: brand.hue })
}

function shade(brand: Lch, most: number): string {
  const lightness = Math.min(brand.lightness, most)
  return toHex({ lightness, chroma: Math.min(brand.chroma, 0.09), hue: brand.hue })
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}
