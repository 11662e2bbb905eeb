import type { AdfElement } from '#contract/leads/adf/adf-lead.ts'
import { element, labeled, oneOf } from './adf-elements.ts'
import type { MailField } from './mail-fields.ts'
import type { LabelKind } from './label-kinds.ts'

/** Makes of two words. */
const MAKES = /^(?:alfa romeo|aston martin|land rover|range rover|rolls[- ]royce|mercedes[- ]benz)\b/i

/** The vehicle of interest or the trade-in that the labels of a mail describe. Fields that it has are added to `taken`. */
export function vehicleElement(
  fields: readonly MailField[],
  { isTrade, taken }: { isTrade: boolean; taken: Set<MailField> },
): AdfElement[] {
  const take = (kind: LabelKind): MailField[] => {
    const found = fields.filter(
      ({ known }) =>
        known?.kind === kind && (known.section === 'trade') === isTrade && known.section !== 'dealer',
    )
    for (const one of found) taken.add(one)
    return found
  }
  const named = take(isTrade ? 'tradeIn' : 'vehicle')
  // "Trade-in: No" is an answer and no vehicle. It stays under its label.
  const answers = named.filter(({ value }) =>
    /^(?:yes|no|none|n\/?a|y|n|true|false|maybe)\b[.!]?$/i.test(value.trim()),
  )
  for (const one of answers) taken.delete(one)
  const [whole, ...others] = named.filter((one) => !answers.includes(one))
  const vehicleWords = whole === undefined ? null : partsOf(whole.value)
  const facts = (
    [
      ['year', 'year'],
      ['make', 'make'],
      ['model', 'model'],
      ['trim', 'trim'],
      ['vin', 'vin'],
      ['stock', 'stock'],
      ['bodyStyle', 'bodystyle'],
      ['transmission', 'transmission'],
      ['mileage', 'odometer'],
      ['condition', 'condition'],
    ] as const
  ).flatMap(([kind, name]) => {
    const found = take(kind)
    const inWhole = found.length === 0 ? wordOf(vehicleWords, kind) : null
    return inWhole === null ? oneOf(found, (value) => element(name, value)) : [element(name, inWhole)]
  })
  const colors = [
    ...oneOf(take('interiorColor'), (value) => element('interiorcolor', value)),
    ...oneOf(take('color'), (value) => element('exteriorcolor', value)),
  ]
  const prices = take('price')
  const status = take('status')[0]?.value ?? vehicleWords?.status ?? null
  // What was typed stays, unless its parts say all of it.
  const isWhole = whole === undefined || (vehicleWords?.isWhole ?? false)
  const children = [
    ...facts,
    ...(colors.length === 0 ? [] : [element('colorcombination', colors)]),
    ...prices.flatMap((price) => {
      const amount = /^\$?\s?(\d[\d,]*(?:\.\d\d)?)$/.exec(price.value)?.[1]
      return amount === undefined || price !== prices[0]
        ? [labeled(price)]
        : [
            element(
              'price',
              amount.replaceAll(',', ''),
              price.value.startsWith('$') ? { currency: 'USD' } : {},
            ),
          ]
    }),
    ...take('vehicleUrl').map(labeled),
    ...(isWhole || whole === undefined ? [] : [labeled({ label: whole.label, value: whole.value })]),
    ...others.map(labeled),
  ]
  if (children.length === 0 && status === null) return []
  return [
    element('vehicle', children, {
      ...(isTrade && { interest: 'trade-in' }),
      ...(status !== null && { status }),
    }),
  ]
}

type VehicleWords = Readonly<{
  year: string | null
  make: string | null
  model: string | null
  vin: string | null
  stock: string | null
  mileage: string | null
  status: string | null
  isWhole: boolean
}>

const PARTS = ['year', 'make', 'model', 'vin', 'stock', 'mileage'] as const

function wordOf(vehicleWords: VehicleWords | null, kind: LabelKind): string | null {
  const part = PARTS.find((one) => one === kind)
  return vehicleWords === null || part === undefined ? null : vehicleWords[part]
}

/** "80k miles", "45,300 mi", "95 000 km", "150.000 km", "99,000 millas", "140 mil millas", "210K" at the end. */
const MILES =
  /(?<![\w.,$-])(\d{1,3}(?:[,.\s]\d{3})+|\d{1,6}(?:\.\d)?)(?:\s?(k|mil(?=\s))\b\.?)?(?:\s*(?:miles?|millas?|milles?|meilen|mi|mls|kms?|kil[oó]m[eèé]t(?:er|re|ro)s?)\b\.?|(?<=k)(?=\s*(?:[,;.]|$)))/i
/** "Do you have a trade? Yes, 2014 Kia Optima". */
const YES = /^(?:yes|yep|s[ií]|oui|ja)\s*[,:;.!–-]\s*(?=\S)/i
/** A name that begins with a year or a make ends at the next comma. */
const NAME_ENDS = /(?<=^[^,;]*[a-z][^,;]*)[,;]/i

/** "'09" is 2009; no car is older than a year to come. */
const fullYear = (written: string): string => {
  if (written.length === 4) return written
  const short = Number(written.slice(1))
  return String((short > 40 ? 1_900 : 2_000) + short)
}

/** "Used 2021 Ford Escape SE, VIN 1FM…, Stock# A123". */
function partsOf(written: string): VehicleWords {
  const text = written.replace(YES, '')
  const vin = /(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{17}(?![A-Z0-9])/i.exec(text)?.[0] ?? null
  const [stockPart = '', stock = null] =
    /\b(?:stock|stk)\s*(?:#|no\.?|number)?\s*[:#]?\s*([A-Z0-9][A-Z0-9-]{1,20})\b/i.exec(text) ?? []
  const [milesPart = '', digits = '', thousands] = MILES.exec(text) ?? []
  const miles = Number(digits.replaceAll(/[,\s]|\.(?=\d{3})/g, '')) * (thousands === undefined ? 1 : 1_000)
  // What follows the name is a description: "2016 Honda CR-V EX, small dent".
  const named = (text.replace(milesPart || '\0', ',').split(NAME_ENDS)[0] ?? text)
    .replace(vin ?? '\0', '')
    .replace(stockPart === '' ? '\0' : stockPart, '')
    .replaceAll(/\bVIN(?: (?:#|number))?\s*[:#]?/gi, ' ')
    .replaceAll(/[\s,;()|/]+/g, ' ')
    .trim()
  const [, status = null, words = ''] =
    /^(?:(new|used|certified(?: pre-?owned)?|cpo|pre-?owned)\s+)?(.*)$/is.exec(named) ?? []
  const [, inFront = null, rest = words] = /^((?:19|20)\d\d|['’]\d\d)\s+(.+)$/s.exec(words) ?? []
  const year = inFront === null ? null : fullYear(inFront)
  const make =
    year === null && rest.split(' ').length < 2 ? null : (MAKES.exec(rest)?.[0] ?? rest.split(' ')[0] ?? null)
  const model = rest.slice(make?.length ?? 0).trim() || null
  return {
    year,
    make: make || null,
    model,
    vin,
    stock,
    mileage: miles > 0 ? String(Math.round(miles)) : null,
    status,
    isWhole: named === text.replaceAll(/\s+/g, ' ').trim() && vin === null && stock === null,
  }
}
