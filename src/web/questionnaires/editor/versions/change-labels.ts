import type { DefinitionChange } from '#contract/questions/changes.ts'

/** What happens to answers that exist, when an assessment moves to the newer version. */
export const EFFECTS = {
  kept: 'Answers stay valid',
  review: 'Answers need review',
  unused: 'Answers are set aside',
} as const satisfies Record<DefinitionChange['effect'], string>

const RANK = { unused: 0, review: 1, kept: 2 } as const

/** Changes that concern answers first. */
export const bySeverity = <C extends Pick<DefinitionChange, 'effect'>>(changes: readonly C[]): C[] =>
  changes.toSorted((one, other) => RANK[one.effect] - RANK[other.effect])
