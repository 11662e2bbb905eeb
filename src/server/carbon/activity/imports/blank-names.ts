import { findFacility } from './find-names.ts'
import { leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'

const WORDS = { facility: 'site', source: 'kind of use' } as const

/**
 * A grouped export names the site, or the energy, only in the first line of each group. A blank cell there may also mean the place
 * that the user has open: the user says which.
 */
export function settleBlankNames(lines: readonly ReadLine[], plan: ReadingPlan): void {
  for (const field of ['facility', 'source'] as const) {
    const place = plan.mapping.columns[field]
    const open = lines.filter(({ isLeft }) => !isLeft)
    const isMixed = open.some(({ cells }) => cells[field] !== undefined)
    if (place === undefined || !isMixed) continue
    let above: string | undefined
    for (const read of open) {
      const own = read.cells[field]
      if (own !== undefined) above = own
      else askBlank(read, field, { above, title: plan.columns.titles[place] ?? '', plan })
    }
  }
}

type BlankCell = { above: string | undefined; title: string; plan: ReadingPlan }

function askBlank(read: ReadLine, field: keyof typeof WORDS, { above, title, plan }: BlankCell): void {
  const { mapping, context, questions } = plan
  const open =
    field === 'facility'
      ? context.facilities.find(({ id }) => id === mapping.facilityId)?.name
      : context.types.find(({ id }) => id === mapping.sourceType)?.title
  const answer = questions.ask({
    id: `blank:${field}`,
    field,
    text: `Line ${read.line} has nothing in “${title.slice(0, 80)}”. Which ${WORDS[field]} is it?`,
    choices: [
      { value: 'above', label: 'That of the line above' },
      ...(open === undefined ? [] : [{ value: 'open', label: open }]),
      { value: 'leave', label: 'Leave these lines out' },
    ],
    proposal: null,
  })
  if (answer === null) waits(read, field, `The line doesn't say which ${WORDS[field]} it is.`)
  if (answer === 'leave') leave(read, field, `Left out, because it names no ${WORDS[field]}.`)
  if (answer === 'above' && above !== undefined) read.cells[field] = above
}

/** "Site: Main Street" in a line of its own. */
const LABEL =
  /^(site|facility|location|building|store|property|standort|filiale|sede|sitio|vestiging)\s*[:=-]\s*/i

/**
 * A report may have the name of each site in a line of its own, above its bills: a known name, or one of several such lines. The
 * user says whether they are sites.
 */
export function settleSections(lines: readonly ReadLine[], plan: ReadingPlan): void {
  const { mapping, context, questions } = plan
  if (mapping.columns.facility !== undefined || plan.columns.isWide) return
  const names = new Map<ReadLine, string>()
  for (const [at, read] of lines.entries()) {
    const [text = '', ...more] = read.raw.filter((cell) => cell !== '')
    const next = lines[at + 1]
    const isAbove = next !== undefined && !next.isLeft
    if (read.isLeft && isAbove && more.length === 0 && /\p{L}/u.test(text)) names.set(read, text.trim())
  }
  const isSite = (text: string) => LABEL.test(text) || findFacility(text, context.facilities) !== null
  const sections = [...names].filter(([, text]) => isSite(text) || names.size > 1)
  if (sections.length === 0) return
  const shown = sections.slice(0, 3).map(([, text]) => `“${text.slice(0, 60)}”`)
  let above: string | undefined
  for (const read of lines) {
    const own = names.get(read)
    if (own !== undefined) above = own.replace(LABEL, '')
    if (read.isLeft || above === undefined) continue
    const answer = questions.ask({
      id: 'sections',
      field: 'facility',
      text: `Lines above the bills say ${shown.join(', ')}. Are these the sites of the lines below?`,
      choices: [
        { value: 'sites', label: 'Yes: each is the site of the lines below it' },
        { value: 'notes', label: 'No: they are only notes' },
      ],
      proposal: null,
    })
    if (answer === null) waits(read, 'facility', 'Say whether the line above the bills is their site.')
    if (answer === 'sites') read.cells.facility = above
  }
}
