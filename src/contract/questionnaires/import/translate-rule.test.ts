import { expect, test } from 'vitest'
import { readRule } from '#contract/expressions/read.ts'
import type { Definition, Question } from '#contract/questions/definition.ts'
import { ruleVariables } from '#contract/questions/rule-names.ts'
import { translateFormula, translateRule } from './translate-rule.ts'

const en = (text: string) => ({ en: text })
const choices = ['dog', 'cat'].map((value) => ({ value, title: en(value) }))
const questions: Question[] = [
  { type: 'number', code: 'age', title: en('Age') },
  { type: 'single', code: 'pet', title: en('Pet'), choices },
  { type: 'multiple', code: 'pets', title: en('Pets'), choices },
  { type: 'boolean', code: 'owner', title: en('Owner') },
  { type: 'text', code: 'name', title: en('Name') },
  { type: 'matrix', code: 'grid', title: en('Grid'), rows: [], choices },
]
const definition: Definition = { languages: ['en'], sections: [{ id: 's', title: en('S'), questions }] }
const find = (name: string) => questions.find(({ code }) => code === name) ?? null
const self = questions[0]
if (self === undefined) throw new Error('missing')

test.for<['surveyjs' | 'xlsform', string, string]>([
  ['surveyjs', "{age} > 17 and {pet} = 'dog'", 'age > 17 && pet == "dog"'],
  ['surveyjs', "{pets} contains 'dog' or {owner} = true", '("dog" in pets) || (owner == true)'],
  ['surveyjs', "{pets} anyof ['dog', 'cat']", '("dog" in pets) || ("cat" in pets)'],
  ['surveyjs', "{pet} anyof ['dog', 'cat']", 'pet in ["dog", "cat"]'],
  ['surveyjs', '{name} notempty and {age} empty', 'name != null && age == null'],
  ['surveyjs', "{pets} notcontains 'cat'", '!("cat" in pets)'],
  ['surveyjs', '18 <= {age}', 'age >= 18'],
  ['surveyjs', "{name} <> 'x\"y'", 'name != "x\\"y"'],
  ['xlsform', "selected(${pets}, 'dog') and not(${pet} = 'cat')", '"dog" in pets && !(pet == "cat")'],
  ['xlsform', '. >= 0 and . <= 120', 'age >= 0 && age <= 120'],
  ['xlsform', "(${age} > 3 or ${age} < 1) and ${name} != ''", '((age > 3) || (age < 1)) && name != null'],
])('%s: %s becomes %s, which our language accepts', ([dialect, text, rule]) => {
  const result = translateRule(text, { dialect, find, self })
  expect(result).toEqual({ ok: true, rule })
  expect(readRule(rule, ruleVariables(definition))).toMatchObject({ ok: true })
})

test.for<['surveyjs' | 'xlsform', string, string]>([
  ['surveyjs', '{grid.row1} = 1', 'grid.row1, which was not imported'],
  ['surveyjs', "{grid} = 'dog'", "rules can't use grid"],
  ['surveyjs', "iif({age} > 3, 'a', 'b') = 'a'", "isn't understood"],
  ['surveyjs', "{pets} = 'dog'", 'can have several answers'],
  ['surveyjs', '{age} >', 'value is missing'],
  ['surveyjs', `${'('.repeat(50)}{age} = 1${')'.repeat(50)}`, 'nested too deeply'],
  ['xlsform', "regex(., '^a+$')", "isn't understood"],
  ['xlsform', 'count-selected(.) < 3', "isn't understood"],
  ['xlsform', "${pet} = 'dog' $", "isn't understood"],
])('%s: %s is not guessed', ([dialect, text, reason]) => {
  const result = translateRule(text, { dialect, find, self })
  expect(result.ok ? result.rule : result.reason).toContain(reason)
  expect(result.ok).toBe(false)
})

test('calculations of numbers are translated, others are not', () => {
  expect(translateFormula('(${age} + 1) * 2 div 3', { dialect: 'xlsform', find })).toEqual({
    ok: true,
    rule: '(age + 1) * 2 / 3',
  })
  expect(translateFormula('concat(${name}, "a")', { dialect: 'xlsform', find }).ok).toBe(false)
  expect(translateFormula('${name} + 1', { dialect: 'xlsform', find }).ok).toBe(false)
})
