import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyForm } from '#test/factories/questions/any-form.ts'
import { checkDefinition } from './check-definition.ts'
import { compileDefinition } from './compile.ts'
import { evaluateAnswers, type EvaluateOptions } from './evaluate.ts'
import { compileSectionRules, sectionRules, type SectionRules } from './section-rules.ts'

const OPTIONS: EvaluateOptions = {
  language: 'en',
  now: new Date('2026-11-25T15:00:00Z'),
  zone: 'UTC',
  seller: { name: 'Shop', country: 'US' },
  setAside: true,
}

test('a page shows and requires the same questions of a section as the server, whatever is answered', () => {
  let dependents = 0
  let grouped = 0
  fc.assert(
    fc.property(anyForm, ({ definition, answers }) => {
      fc.pre(checkDefinition(definition).faults.every(({ severity }) => severity !== 'error'))
      const compiled = compileDefinition(definition)
      const given = Object.fromEntries(
        [...answers].flatMap(([code, one]) => (one.given === undefined ? [] : [[code, one.given]])),
      )
      for (const { id, questions } of definition.sections) {
        const own = questions.map(({ code }) => code)
        const elsewhere = Object.fromEntries(Object.entries(given).filter(([code]) => !own.includes(code)))
        const whole = evaluateAnswers(compiled, given, OPTIONS)
        // A page is made before its section is answered. Sections that depend on it in turn are asked by the server.
        const page = evaluateAnswers(compiled, elsewhere, OPTIONS)
        const others = (one: typeof whole) =>
          JSON.stringify(
            Object.entries({ ...one.answers, ...one.computed, ...one.totals }).filter(
              ([code]) => !own.includes(code),
            ),
          )
        const rules = sectionRules(compiled, id, page)
        if (rules === null || others(whole) !== others(page)) continue
        if (!whole.sections.some((section) => section.id === id)) continue
        const sent: SectionRules = JSON.parse(JSON.stringify(rules))
        const found = evaluateAnswers(compileSectionRules(sent), given, OPTIONS)
        const ofDependents = (codes: readonly string[]) =>
          codes.filter((code) => rules.dependent.includes(code)).toSorted()
        expect(ofDependents(found.visible)).toEqual(ofDependents(whole.visible))
        expect(ofDependents(found.required)).toEqual(ofDependents(whole.required))
        const groupsWith = ({ oneOf }: typeof whole) =>
          oneOf.filter(({ questions: all }) => all.some((code) => rules.dependent.includes(code)))
        const names = (groups: typeof whole.oneOf) =>
          groups.map(({ name, questions: all }) => `${name}: ${all.toSorted().join(' ')}`).toSorted()
        expect(names(groupsWith(found))).toEqual(names(groupsWith(whole)))
        grouped += groupsWith(whole).length
        dependents += rules.dependent.length
      }
    }),
    { numRuns: 200 },
  )
  expect(dependents).toBeGreaterThan(5)
  expect(grouped).toBeGreaterThan(0)
})

test('a page knows only the rules that it needs, without texts', () => {
  const en = (text: string) => ({ en: text })
  const compiled = compileDefinition({
    languages: ['en'],
    sections: [
      { id: 'one', title: en('One'), questions: [{ type: 'boolean', code: 'before', title: en('Before') }] },
      {
        id: 'two',
        title: en('Two'),
        questions: [
          { type: 'text', code: 'other', title: en('Other') },
          { type: 'boolean', code: 'trade', title: en('Trade') },
          { type: 'text', code: 'car', title: en('Car'), help: en('Which?'), visibleIf: 'trade && before' },
          { type: 'text', code: 'earlier', title: en('Earlier'), visibleIf: 'before' },
        ],
      },
    ],
  })
  const { answers, computed, totals } = evaluateAnswers(compiled, { before: true }, OPTIONS)
  const rules = sectionRules(compiled, 'two', { answers, computed, totals })
  expect(rules).toMatchObject({ dependent: ['car'], known: { before: true } })
  expect(rules?.questions.map(({ question }) => question)).toEqual([
    { type: 'boolean', code: 'trade', title: {} },
    { type: 'text', code: 'car', title: {}, visibleIf: 'trade && before' },
  ])
  expect(sectionRules(compiled, 'one', { answers, computed, totals })).toBeNull()
})
