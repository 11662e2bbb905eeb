import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** How a view is shown: the color scheme, the size of the screen and the direction of the text. */
export type Sight = {
  scheme: 'light' | 'dark'
  size: { width: number; height: number }
  direction: 'ltr' | 'rtl'
}

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** By the name that `--sights` uses. */
const SIGHTS: Readonly<Record<string, Sight>> = {
  light: { scheme: 'light', size: DESKTOP, direction: 'ltr' },
  rtl: { scheme: 'light', size: DESKTOP, direction: 'rtl' },
  phone: { scheme: 'light', size: PHONE, direction: 'ltr' },
  'phone-rtl': { scheme: 'light', size: PHONE, direction: 'rtl' },
  dark: { scheme: 'dark', size: DESKTOP, direction: 'ltr' },
  'dark-rtl': { scheme: 'dark', size: DESKTOP, direction: 'rtl' },
  'dark-phone': { scheme: 'dark', size: PHONE, direction: 'ltr' },
  'dark-phone-rtl': { scheme: 'dark', size: PHONE, direction: 'rtl' },
}

export type ScreenshotOptions = {
  /** The folder for the pictures. */
  out: string
  /** A folder of an earlier run to compare with; null: none. */
  before: string | null
  sights: readonly Sight[]
  /** Whether every page is also shown to every other demo user. */
  forEveryone: boolean
  /** Whether a view with this name is wanted. */
  isWanted: (name: string) => boolean
}

/** Reads the words after `npm run screenshots --`. */
export function readScreenshotOptions(words: string[], project: string): ScreenshotOptions {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      out: { type: 'string', default: join(project, 'screenshots') },
      compare: { type: 'string' },
      sights: { type: 'string', default: Object.keys(SIGHTS).join(',') },
      everyone: { type: 'boolean', default: false },
    },
  })
  const out = resolve(project, values.out)
  const before = values.compare === undefined ? null : resolve(project, values.compare)
  if (before === out)
    throw new Error(`The new pictures would replace those in ${out}. Name another folder with --out.`)
  return {
    out,
    before,
    sights: values.sights.split(',').map(sightOf),
    forEveryone: values.everyone,
    isWanted: (name) => positionals.length === 0 || positionals.some((word) => name.startsWith(word)),
  }
}

/** The sight with this name. */
export function sightOf(name: string): Sight {
  const sight = SIGHTS[name]
  if (!sight)
    throw new Error(`There is no sight named ${name}. There are: ${Object.keys(SIGHTS).join(', ')}.`)
  return sight
}

/** The end of the file name of a picture. */
export const suffixOf = ({ scheme, size, direction }: Sight): string =>
  `-${scheme}-${size.width}-${direction}.png`
