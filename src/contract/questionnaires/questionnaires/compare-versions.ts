import { compareDefinitions, type DefinitionChange } from '#contract/questions/changes.ts'
import { compareScoring, type ScoredDefinition } from '#contract/questions/scores/compare-scoring.ts'

/** Every difference between two versions of a questionnaire: of the questions, then of the scoring. */
export const compareVersions = (before: ScoredDefinition, after: ScoredDefinition): DefinitionChange[] => [
  ...compareDefinitions(before.definition, after.definition),
  ...compareScoring(before, after),
]
