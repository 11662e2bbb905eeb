import { describe, expect, test } from 'vitest'
import { brandStyleSheet, deriveBrand, schemeVariables } from './brand.ts'
import { contrast, parseHex, toHex, toLch } from './color.ts'
import { DEFAULT_BRAND, neutral, SCHEMES, series, status } from './tokens.ts'

const difficult = [
  '#0b6e4f',
  '#ffd400',
  '#e30613',
  '#003da5',
  '#7f7f7f',
  '#8e6b3a',
  '#5bc2e7',
  '#000',
  '#fff',
]
const levels = [0, 51, 102, 153, 204, 255]
const cube = levels.flatMap((r) => levels.flatMap((g) => levels.map((b) => rgb(r, g, b))))
const brands = [...difficult, ...cube]

function rgb(...channels: number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Lists every pair below its ratio, so that a failure names the colors. */
function tooWeak(ratio: number, foregrounds: readonly string[], backgrounds: readonly string[]): string[] {
  return foregrounds.flatMap((front) =>
    backgrounds.filter((back) => contrast(front, back) < ratio).map((back) => `${front} on ${back}`),
  )
}

test('contrast follows WCAG 2', () => {
  expect(contrast('#000', '#fff')).toBeCloseTo(21, 2)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('rejects text that is not a color', () => {
  expect(() => parseHex('green')).toThrow('Not a color: green')
})

test('a color survives the conversion to OKLCH and back', () => {
  expect(difficult.map((hex) => toHex(toLch(hex)))).toEqual(
    difficult.map((hex) => toHex(toLch(toHex(toLch(hex))))),
  )
  expect(toHex(toLch('#0b6e4f'))).toBe('#0b6e4f')
})

describe.each(SCHEMES)('in the %s scheme', (scheme) => {
  const { page, chrome, sunken, raised, ink, inkSoft, inkFaint, control } = neutral[scheme]
  const { inverse, inverseHover, onInverse, inverseControl } = neutral[scheme]
  const surfaces = [page, chrome, sunken, raised]

  test('inks are readable on every surface and control edges are visible', () => {
    expect(tooWeak(4.5, [ink, inkSoft, inkFaint], surfaces)).toEqual([])
    expect(tooWeak(3, [control], [page, chrome])).toEqual([])
  })

  test('the dark top bar is readable and its edges are visible', () => {
    expect(tooWeak(7, [onInverse], [inverse])).toEqual([])
    expect(tooWeak(4.5, [onInverse], [inverseHover])).toEqual([])
    expect(tooWeak(3, [inverseControl], [inverse])).toEqual([])
  })

  test('status text and marks are readable on surfaces and on their tints', () => {
    for (const { text, mark, tint } of Object.values(status[scheme])) {
      expect(tooWeak(4.5, [text], [...surfaces, tint, deriveBrand(DEFAULT_BRAND, scheme).tint])).toEqual([])
      expect(tooWeak(3, [mark], [...surfaces, tint])).toEqual([])
    }
  })

  test('chart colors are distinguishable from the page', () => {
    expect(tooWeak(3, series[scheme], [page, chrome])).toEqual([])
  })

  test('the shades of any brand color meet their contrast ratios', () => {
    const broken = brands.flatMap((hex) => {
      const b = deriveBrand(hex, scheme)
      const failures = [
        ...tooWeak(4.5, [b.onFill], [b.fill, b.fillHover]),
        ...tooWeak(3, [b.fill, b.fillHover, b.ring], [page, chrome, b.tint]),
        ...tooWeak(4.5, [b.text], [...surfaces, b.tint, b.tintHover]),
        ...tooWeak(4.5, [ink, inkSoft, inkFaint], [b.tint, b.tintHover]),
        ...tooWeak(4.5, ['#ffffff'], [b.panel, b.panelDeep]),
      ]
      return failures.map((failure) => `${hex}: ${failure}`)
    })
    expect(broken).toEqual([])
  })
})

test('a brand color with sufficient contrast is unchanged', () => {
  expect(deriveBrand(DEFAULT_BRAND, 'light').fill).toBe(DEFAULT_BRAND)
  expect(deriveBrand('#003da5', 'light').fill).toBe('#003da5')
  expect(deriveBrand(DEFAULT_BRAND, 'dark')).toMatchObject({ fill: '#247d5d', onFill: '#ffffff' })
  expect(deriveBrand('#ffd400', 'dark')).toMatchObject({ fill: '#ffd400', onFill: '#0c110f' })
})

test('status and chart colors never use the brand', () => {
  const own = schemeVariables('light', DEFAULT_BRAND)
  const red = schemeVariables('light', '#e30613')
  expect(
    Object.keys(own).filter((name) => own[name] !== red[name] && !name.startsWith('--fc-brand-')),
  ).toEqual([])
})

test('the style sheet contains both schemes and nothing but colors', () => {
  const sheet = brandStyleSheet(DEFAULT_BRAND)
  expect(sheet).toContain('--fc-brand-fill:#0b6e4f')
  expect(sheet).toContain(`--fc-page:${neutral.dark.page}`)
  expect(sheet).not.toMatch(/[<>\\]/)
})
