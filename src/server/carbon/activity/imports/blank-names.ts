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
