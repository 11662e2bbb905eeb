import { isAnswerable } from '#contract/assessments/targets/target-states.ts'
import type { Target } from '#contract/assessments/targets/targets.ts'
import { BOARD_STATES, boardStateOf, type BoardState } from '#contract/assessments/targets/board-states.ts'
import type { BoardSort } from './board-search.ts'

export function countStates(targets: readonly Target[]): Record<BoardState, number> {
  const counts = Object.fromEntries(BOARD_STATES.map((state) => [state, 0]))
  for (const target of targets) counts[boardStateOf(target)] = (counts[boardStateOf(target)] ?? 0) + 1
  const of = (state: BoardState) => counts[state] ?? 0
  return {
    not_started: of('not_started'),
    in_progress: of('in_progress'),
    overdue: of('overdue'),
    changes_requested: of('changes_requested'),
    in_review: of('in_review'),
    approved: of('approved'),
  }
}

type BoardView = { search: string; state: BoardState | undefined; sort: BoardSort }

/** The targets to show, in order. The search covers targets, organizations and people. */
export function showTargets(targets: readonly Target[], { search, state, sort }: BoardView): Target[] {
  const text = search.trim().toLowerCase()
  const matches = ({ name, organizationName, people }: Target) =>
    [name, organizationName, ...people.flatMap((one) => [one.name, one.email])].some((part) =>
      part.toLowerCase().includes(text),
    )
  return targets
    .filter(
      (target) => (text === '' || matches(target)) && (state === undefined || boardStateOf(target) === state),
    )
    .toSorted((one, other) => ORDERS[sort](one, other) || byName(one, other))
}

const RANKS: Record<BoardState, number> = {
  approved: 0,
  in_review: 1,
  changes_requested: 2,
  in_progress: 3,
  not_started: 4,
  overdue: 5,
}
const byName = (one: Target, other: Target) =>
  one.name.localeCompare(other.name) || one.id.localeCompare(other.id)
const shareOf = ({ answered, questions }: Target) => (questions === 0 ? 0 : answered / questions)

const ORDERS: Record<BoardSort, (one: Target, other: Target) => number> = {
  progress: (one, other) =>
    RANKS[boardStateOf(one)] - RANKS[boardStateOf(other)] || shareOf(other) - shareOf(one),
  due: (one, other) => one.dueOn.localeCompare(other.dueOn),
  // Targets without an owner come first, because they need one.
  owner: (one, other) => (one.ownerName ?? '').localeCompare(other.ownerName ?? ''),
}

type Section = Target['sections'][number]

/** What a cell of the heat map shows. */
export type CellLook = 'none' | 'empty' | 'part' | 'all' | 'flagged'

export function lookOf({ questions, answered, flagged }: Section): CellLook {
  if (questions === 0) return 'none'
  if (flagged > 0) return 'flagged'
  if (answered === 0) return 'empty'
  return answered >= questions ? 'all' : 'part'
}

/** "43%", never 100% while a question is open and never 0% once one is answered. Blank and complete cells have no text. */
export function cellText(section: Section): string {
  const look = lookOf(section)
  if (look === 'none') return '–'
  if (look === 'empty' || look === 'all') return ''
  return `${percentOf(section.answered, section.questions)}%`
}

export function percentOf(answered: number, questions: number): number {
  if (questions === 0 || answered === 0) return 0
  if (answered >= questions) return 100
  return Math.min(99, Math.max(1, Math.floor((answered * 100) / questions)))
}

/** How the cell’s figure comes about, in sentences. */
export function explainCell(title: string, section: Section): string {
  const { questions, answered, required, requiredAnswered, flagged } = section
  if (questions === 0) return `${title}: not asked here.`
  const figure = cellText(section)
  const name = figure === '' ? title : `${title}, ${figure}`
  const parts = [
    `${name}: ${answered} of ${questions} ${questions === 1 ? 'question' : 'questions'} answered.`,
  ]
  if (required > 0) parts.push(`${requiredAnswered} of ${required} required.`)
  if (flagged > 0) parts.push(`${flagged} ${flagged === 1 ? 'change' : 'changes'} requested.`)
  return parts.join(' ')
}

/** Whether the target waits for answers, so that people can be reminded. */
export const waits = ({ state }: Pick<Target, 'state'>): boolean => isAnswerable(state)

/** The sections that are asked at any target. One that only computes figures has no questions. */
export function askedSections<S extends { id: string }>(
  sections: readonly S[],
  targets: readonly Target[],
): readonly S[] {
  const asked = new Set(
    targets.flatMap((target) =>
      target.sections.flatMap(({ section, questions }) => (questions > 0 ? section : [])),
    ),
  )
  return asked.size === 0 ? sections : sections.filter(({ id }) => asked.has(id))
}
