import { z } from 'zod'
import { Id } from '#contract/fields.ts'
import { PRICE_LAW_CODES } from '#contract/customers/details/price-laws.ts'
import type { AdvertisementFacts } from '#contract/pricing/totals/advertising-rules.ts'
import { type AdvertisementFinding, lintWords } from '#contract/pricing/totals/lint-advertisement.ts'
import { type Block, knownBlocks, linksIn, picturesIn, readBlock, type StoredBlock } from './blocks.ts'
import { nameOfBlock } from './check-blocks.ts'
import { shownTexts } from './typed-prices.ts'

/** What the rules ask about the customer. `laws`: of the lots that the page is about. */
export const PageFacts = z.object({
  laws: z.array(z.enum(PRICE_LAW_CODES)),
  hasFees: z.boolean(),
  hasCertified: z.boolean(),
  /** Disclaimers were entered for the site to show below vehicles. */
  hasDisclaimers: z.boolean(),
  /** Of what the page refers to, what visitors don't get now: vehicles that are sold or not published, forms and lots. */
  gone: z.object({ vehicles: z.array(Id), forms: z.array(z.string()), lots: z.array(Id) }),
})
export type PageFacts = z.infer<typeof PageFacts>

/** What the rules of advertising, and those for readable pages, have against a page. `id`: of the block; null: the page itself. */
export type PageFinding = AdvertisementFinding &
  Readonly<{
    id: string | null
    place: string
    /** Visitors don't get what the block promises. */
    isGone?: boolean
  }>

type LintedPage = Readonly<{
  title: string
  description: string | null
  endsOn: string | null
  blocks: readonly StoredBlock[]
  /** Those that the layout adds. */
  locked: readonly StoredBlock[]
}>

/**
 * Checks a page. The rules are the same while someone types and when the page is published. Help for the author, not legal
 * advice, and for English texts only.
 */
export function lintPage(page: LintedPage, facts: PageFacts): PageFinding[] {
  const all = knownBlocks([...page.blocks, ...page.locked])
  const hasVehicles = all.some(({ type }) => type === 'vehicles' || type === 'vehicle')
  const terms = all.flatMap((one) => (one.type === 'disclaimer' ? [one.data.text] : []))
  const known = { hasFees: facts.hasFees, hasCertified: facts.hasCertified, hasVehicles }
  const whole = { ...known, hasEnd: page.endsOn !== null }
  const ofPage = [
    { place: 'Title', text: page.title },
    { place: 'Description', text: page.description ?? '' },
  ].flatMap(({ place, text }) =>
    lintText(text, facts.laws, { context: text, terms: [text, ...terms], facts: whole }).map((one) => ({
      ...one,
      id: null,
      place,
    })),
  )
  const ofBlocks = page.blocks.flatMap((stored, at) => {
    const read = readBlock(stored)
    if (read.state !== 'known') return []
    const name = nameOfBlock(at, stored.type)
    const ofTexts = lintBlock(read.block, { laws: facts.laws, terms, facts: whole })
    return [...goneFrom(read.block, facts.gone), ...ofTexts].map(({ field, ...one }) => ({
      ...one,
      id: stored.id,
      place: field === '' ? name : `${name}, ${field}`,
    }))
  })
  const needsTerms = hasVehicles && !facts.hasDisclaimers && terms.length === 0
  return [...ofPage, ...ofBlocks, ...(needsTerms ? [NO_DISCLAIMER] : [])]
}

const NO_DISCLAIMER: PageFinding = {
  id: null,
  place: 'Page',
  words: '',
  from: 0,
  message: 'It shows vehicles without a disclaimer, such as that they are subject to prior sale.',
  advice: 'Enter your disclaimers in the details of your company, or add a block of type Disclaimer.',
  severity: 'note',
  source: 'FTC Act, section 5, as of November 2026',
}

/** What a block refers to and can't show. */
function goneFrom(block: Block, gone: PageFacts['gone']) {
  const found = (severity: PageFinding['severity'], message: string, advice: string) => [
    {
      field: '',
      words: '',
      from: 0,
      message,
      advice,
      severity,
      source: 'What is on your site now',
      isGone: true,
    },
  ]
  if (block.type === 'vehicle' && gone.vehicles.includes(block.data.vehicleId ?? ''))
    return found(
      'note',
      'Its vehicle is sold or not published: visitors read that it is no longer for sale.',
      'Choose another one, or remove the block.',
    )
  if (block.type === 'vehicles' && block.data.source === 'chosen') {
    const { vehicleIds: ids } = block.data
    const missing = ids.filter((id) => gone.vehicles.includes(id)).length
    const verb = missing === 1 ? 'is' : 'are'
    return missing === 0
      ? []
      : found(
          'note',
          `Of its ${ids.length} ${ids.length === 1 ? 'vehicle' : 'vehicles'}, ${missing} ${verb} sold or not published, and ${verb} not shown.`,
          'Choose others.',
        )
  }
  if (block.type === 'form' && gone.forms.includes(block.data.formKey))
    return found('stops', "Its form isn't published.", 'Publish the form, or choose another one.')
  if ((block.type === 'hours' || block.type === 'map') && gone.lots.includes(block.data.lotId ?? ''))
    return found('stops', "Its lot isn't on public pages.", 'Choose another lot.')
  return []
}

/** What a page refers to, as far as it can go away. */
export function referencesOf(blocks: readonly StoredBlock[]): PageFacts['gone'] {
  const known = knownBlocks(blocks)
  return {
    vehicles: known.flatMap((one) => {
      if (one.type === 'vehicle') return one.data.vehicleId ?? []
      return one.type === 'vehicles' && one.data.source === 'chosen' ? one.data.vehicleIds : []
    }),
    forms: known.flatMap((one) => (one.type === 'form' && one.data.formKey !== '' ? [one.data.formKey] : [])),
    lots: known.flatMap((one) => (one.type === 'hours' || one.type === 'map' ? (one.data.lotId ?? []) : [])),
  }
}

type Around = Readonly<{ laws: PageFacts['laws']; terms: readonly string[]; facts: AdvertisementFacts }>

function lintBlock(block: Block, { laws, terms, facts }: Around) {
  const shown = shownTexts(block)
  const context = shown.map(({ text }) => text).join(' . ')
  // The last day of a special or a countdown is shown beside it.
  const own = { ...facts, hasEnd: facts.hasEnd || shown.some(({ path }) => path.at(-1) === 'endsOn') }
  const found = shown.flatMap(({ path, text }) =>
    lintText(text, laws, { context, terms: [context, ...terms], facts: own }).map((one) => ({
      ...one,
      field: fieldOf(path),
    })),
  )
  return [...found, ...lintLinks(block), ...lintPictures(block)]
}

/** By each of the laws, each finding once. */
function lintText(
  text: string,
  laws: PageFacts['laws'],
  { terms, ...around }: { context: string; terms: readonly string[]; facts: AdvertisementFacts },
): AdvertisementFinding[] {
  const all = laws.flatMap((law) => lintWords(text, law, { ...around, terms: terms.join(' . ') }))
  return all.filter(
    ({ from, message }, at) =>
      all.findIndex((other) => other.from === from && other.message === message) === at,
  )
}

const LABELS: Readonly<Record<string, string>> = {
  alt: 'Alternative text',
  endsOn: 'Last day',
  label: 'Button',
}

/** `items.1.terms` is "Terms 2". */
function fieldOf(path: readonly string[]): string {
  const name = path.at(-1) ?? ''
  const label = LABELS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const number = path.find((part) => /^\d+$/.test(part))
  return number === undefined ? label : `${label} ${Number(number) + 1}`
}

const WORDLESS =
  /^(click )?here$|^(click|link|this|this link|more|read more|learn more|see more|details|go|ok)$/i

const lintLinks = (block: Block) =>
  linksIn(block).flatMap(({ label }) =>
    WORDLESS.test(label.trim())
      ? [
          {
            field: 'Button',
            words: label.trim(),
            from: 0,
            message: 'Read on its own, as a screen reader does, this doesn’t say where the button leads.',
            advice: 'Name what is there, such as “See all trucks”.',
            severity: 'note' as const,
            source: 'WCAG 2.2, 2.4.4',
          },
        ]
      : [],
  )

const FILE_NAME = /\.(jpe?g|png|webp|gif|svg|heic)$|^(img|dsc|image|photo|picture)[-_ ]?\d*$/i

const lintPictures = (block: Block) =>
  picturesIn(block).flatMap(({ alt }) =>
    FILE_NAME.test(alt.trim())
      ? [
          {
            field: 'Alternative text',
            words: alt.trim(),
            from: 0,
            message: 'This is the name of a file, and doesn’t say what the picture shows.',
            advice: 'Describe the picture in some words.',
            severity: 'note' as const,
            source: 'WCAG 2.2, 1.1.1',
          },
        ]
      : [],
  )

/** A finding as a sentence that names its place. */
export const describeFinding = ({ place, words, message, advice }: PageFinding): string =>
  `${place}: ${words === '' ? '' : `“${words}”. `}${message}${advice === '' ? '' : ` ${advice}`}`

/** Changes with the rules: what was published under others is checked again. */
export const LINT_EDITION = 3
