import { contrast, standsOut, toHex, toLch, type Lch } from './color.ts'
import { neutral, type Scheme, series, status } from './tokens.ts'

/**
 * The shades of one brand color in one scheme. `fill` and `fillHover` carry `onFill` at 4.5:1 and are at 3:1 to
 * page, chrome and tint; `text` reaches 4.5:1 on every surface and tint; `ring` 3:1; every ink stays readable on
 * the tints.
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
  /** Top and bottom of the sign-in panel: the brand's darkest shade in both schemes, with white at 4.5:1 on both. */
  panel: string
  panelDeep: string
}>

const WHITE = '#ffffff'
const NEAR_BLACK = '#0c110f'
const STEP = 0.005

/** Lightness and maximum chroma of the muted shades. */
const quiet = {
  light: { tint: [0.965, 0.017], tintHover: [0.955, 0.021], tintLine: [0.87, 0.05] },
  dark: { tint: [0.262, 0.035], tintHover: [0.282, 0.04], tintLine: [0.38, 0.055] },
} as const

/** Derives the shades of any hex color: the hue is kept, lightness changes only as much as contrast requires. */
export function deriveBrand(hex: string, scheme: Scheme): BrandShades {
  const brand = toLch(hex)
  const { page, chrome, sunken, raised } = neutral[scheme]
  const tint = soften(brand, quiet[scheme].tint)
  const tintHover = soften(brand, quiet[scheme].tintHover)
  const around = [page, chrome, tint]
  // A shade with too little contrast gets darker in the light scheme and lighter in the dark scheme.
  const direction = scheme === 'light' ? -1 : 1
  // In the dark scheme, start a very dark brand from medium lightness; otherwise its fill would look gray.
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

/** The variables of one scheme, ours (`--fc-*`) only: the server can write them before the first paint. */
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

/** Both schemes as a style sheet for the server's page, so that the colors are right before any script runs. */
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
  // Black or white: one of them has enough contrast on any surface.
  const end = { ...start, lightness: direction < 0 ? 0.2 : 0.97 }
  return { fill: toHex(end), onFill: direction < 0 ? WHITE : NEAR_BLACK, fillHover: toHex(end) }
}

/** Hover moves away from its text color; less far, or the other way, if it would blend into the surface. */
const HOVER_STEPS = [0.045, 0.03, -0.02, -0.06, -0.09] as const

function fillAt(color: Lch, around: string[]) {
  const fill = toHex(color)
  const onFill = contrast(WHITE, fill) >= contrast(NEAR_BLACK, fill) ? WHITE : NEAR_BLACK
  const works = (hex: string) => contrast(onFill, hex) >= 4.5 && standsOut(hex, around, 3)
  if (!works(fill)) return null
  const away = onFill === WHITE ? -1 : 1
  const hovers = HOVER_STEPS.map((step) => toHex({ ...color, lightness: color.lightness + away * step }))
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
