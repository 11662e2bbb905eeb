import type { Definition } from '#contract/questions/definition.ts'
import type { Band, Scoring } from '#contract/questions/scores/scoring.ts'

/** The weight of a section in the total. */
export const weightOf = ({ sections }: Scoring, id: string): string =>
  sections.find(({ section }) => section === id)?.weight ?? '1'

/** The scoring with another weight of a section. */
export function withWeight(scoring: Scoring, id: string, weight: string): Scoring {
  const at = scoring.sections.findIndex(({ section }) => section === id)
  const changed = { section: id, weight }
  const sections = at === -1 ? [...scoring.sections, changed] : scoring.sections.with(at, changed)
  return { ...scoring, sections }
}

/** The scoring with another band at a place. */
export const withBand = (scoring: Scoring, at: number, band: Band): Scoring => ({
  ...scoring,
  bands: scoring.bands.with(at, band),
})

/** The scoring with one more band, between the last one and 100. */
export function addBand(scoring: Scoring, language: string): Scoring {
  const last = scoring.bands.at(-1)
  const from = last === undefined ? '0' : String(Math.min(100, Math.ceil((Number(last.from) + 100) / 2)))
  return {
    ...scoring,
    bands: [...scoring.bands, { from, title: { [language]: `Band ${scoring.bands.length + 1}` } }],
  }
}

/** The section that must reach a score for a band, as one choice; several are kept. */
export function withNeed(band: Band, section: string, from: string): Band {
  const others = (band.needs ?? []).filter((need) => need.section !== section)
  const needs = from === '' ? others : [...others, { section, from }]
  const { needs: _, ...rest } = band
  return needs.length === 0 ? rest : { ...rest, needs }
}

/** The sections with a question that gets points, with the number of these questions. */
export function scoredSections(draft: Definition, { questions }: Scoring) {
  const codes = new Set(questions.map(({ question }) => question))
  return draft.sections.flatMap((section) => {
    const scored = section.questions.filter(({ code }) => codes.has(code)).length
    return scored === 0 ? [] : [{ section, scored }]
  })
}
