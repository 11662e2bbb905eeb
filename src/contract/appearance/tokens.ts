/** The two color schemes; every token has a value in each. */
export const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** The product's own color, for domains without one. */
export const DEFAULT_BRAND = '#0b6e4f'

/**
 * Surfaces, lines and inks. They never use the customer's color. Inks reach 4.5:1 on every surface, `control`
 * (edges of inputs) 3:1 on page and chrome; `brand.test.ts` checks this. `inverse` is dark in both schemes:
 * `onInverse` reaches 7:1 on it and 4.5:1 on its hover, `inverseControl` 3:1.
 */
export const neutral = {
  light: {
    page: '#ffffff',
    chrome: '#f6f8f7',
    sunken: '#eef1ef',
    raised: '#ffffff',
    line: '#e3e7e5',
    lineStrong: '#ccd3cf',
    control: '#858f8a',
    ink: '#161d1a',
    inkSoft: '#4f5a55',
    inkFaint: '#646f6a',
    inverse: '#1d2623',
    inverseHover: '#313c38',
    onInverse: '#f1f5f3',
    inverseControl: '#8b9791',
  },
  dark: {
    page: '#121614',
    chrome: '#0d100f',
    sunken: '#1c2220',
    raised: '#1a1f1d',
    line: '#252c29',
    lineStrong: '#3a4440',
    control: '#6b7771',
    ink: '#e7ece9',
    inkSoft: '#a8b3ae',
    inkFaint: '#8b9791',
    inverse: '#2a3430',
    inverseHover: '#3a4641',
    onInverse: '#f1f5f3',
    inverseControl: '#95a19b',
  },
} as const satisfies Record<Scheme, Record<string, string>>

/** Status colors: text at 4.5:1 and mark at 3:1 on every surface and on the tint. Never branded. */
export const status = {
  light: {
    good: { text: '#1a6b3c', mark: '#23894e', tint: '#e9f5ed' },
    info: { text: '#1d5bb0', mark: '#2f74d0', tint: '#e9f1fc' },
    warn: { text: '#8a5300', mark: '#b97304', tint: '#fdf3e0' },
    bad: { text: '#b3261e', mark: '#d23b31', tint: '#fdeeec' },
    mute: { text: '#4f5a55', mark: '#77827c', tint: '#eef1ef' },
  },
  dark: {
    good: { text: '#6fcf97', mark: '#3fb574', tint: '#14271d' },
    info: { text: '#8ab8f5', mark: '#5b98ea', tint: '#15233a' },
    warn: { text: '#e8b765', mark: '#d3952f', tint: '#2c2110' },
    bad: { text: '#f59a92', mark: '#e8655a', tint: '#341a18' },
    mute: { text: '#a8b3ae', mark: '#87938d', tint: '#1c2220' },
  },
} as const satisfies Record<Scheme, Record<string, { text: string; mark: string; tint: string }>>

/**
 * Chart colors in their fixed order, each at 3:1 on page and chrome. Values beyond the sixth are grouped as
 * "other".
 */
export const series = {
  light: ['#0b6e4f', '#2f74d0', '#b97304', '#7b57c4', '#b8446c', '#66726c'],
  dark: ['#3fae86', '#5b98ea', '#d3952f', '#a389e6', '#df7599', '#8b9791'],
} as const satisfies Record<Scheme, readonly string[]>
