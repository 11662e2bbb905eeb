import { expect, test } from 'vitest'
import { checkQuestionnaire } from '#contract/questionnaires/questionnaires/check-questionnaire.ts'
import { readTemplates } from './templates.ts'

test('every template can be published as it is, without a warning', () => {
  const templates = readTemplates()
  expect(templates.map(({ key }) => key)).toEqual(['dealer-site', 'dealer-energy', 'scope3-screening'])
  for (const { file } of templates) {
    const { faults } = checkQuestionnaire({ draft: file.definition, scoring: file.scoring })
    expect(faults).toEqual([])
  }
})

test('questions that share a concept ask for the same kind of answer in the same unit', () => {
  const asked = new Map<string, string>()
  for (const { file } of readTemplates()) {
    for (const question of file.definition.sections.flatMap(({ questions }) => questions)) {
      if (question.conceptId === undefined) continue
      const kind = `${question.type} ${question.type === 'number' ? (question.unit ?? '') : ''}`
      expect(asked.get(question.conceptId) ?? kind).toBe(kind)
      asked.set(question.conceptId, kind)
    }
  }
  expect(asked.size).toBeGreaterThan(3)
})
