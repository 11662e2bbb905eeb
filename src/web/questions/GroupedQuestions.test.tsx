import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { controlTexts } from '#contract/questions/control-texts.ts'
import { type Drafts, toAnswers } from './draft-answers.ts'
import { problemsAfterLeaving } from './field-props.ts'
import { GroupedQuestions } from './GroupedQuestions.tsx'
import { QuestionField } from './QuestionField.tsx'

const en = (text: string) => ({ en: text })
const COMPILED = compileDefinition(
  Definition.parse({
    languages: ['en'],
    sections: [
      {
        id: 'you',
        title: en('You'),
        questions: [
          { type: 'boolean', code: 'call', title: en('Call me') },
          { type: 'email', code: 'email', title: en('Email'), oneOf: 'contact' },
          {
            type: 'phone',
            code: 'phone',
            title: en('Phone'),
            oneOf: 'contact',
            visibleIf: 'call == null || call',
          },
        ],
      },
    ],
  }),
)
const MESSAGE = 'Enter an email address or a phone number.'

/** The questions as they are shown after some were left. */
function render(drafts: Drafts, ...left: readonly string[]): string {
  const evaluation = evaluateAnswers(COMPILED, toAnswers(COMPILED, drafts, 'en'), {
    language: 'en',
    now: new Date('2026-11-25T15:00:00Z'),
    zone: 'UTC',
    setAside: true,
  })
  const problemsOf = (code: string) => problemsAfterLeaving(evaluation.problems, code, new Set(left))
  const context = { language: 'en', languages: ['en'], text: controlTexts('en'), evaluation }
  return renderToStaticMarkup(
    <MantineProvider>
      <GroupedQuestions
        codes={evaluation.visible}
        compiled={COMPILED}
        evaluation={evaluation}
        language="en"
        problemsOf={problemsOf}
      >
        {(code) => {
          const question = COMPILED.byCode.get(code)?.question
          return (
            question !== undefined && (
              <QuestionField
                key={code}
                question={question}
                draft={drafts[code]}
                onChange={() => {}}
                onLeave={() => {}}
                problems={problemsOf(code)}
                isRequired={evaluation.required.includes(code)}
                context={context}
              />
            )
          )
        }}
      </GroupedQuestions>
    </MantineProvider>,
  )
}

test('questions of which one is enough stand under one title, and none is marked as required', () => {
  const html = render({})
  const [, group = ''] = /<fieldset class="fc-question-group" data-asked(.*?)<\/fieldset>/.exec(html) ?? []
  expect(group).toContain('<legend>Email address or phone number</legend>')
  expect(group).toContain('type="email"')
  expect(group).toContain('type="tel"')
  expect(html).not.toContain('aria-required="true"')
  expect(html).not.toContain(MESSAGE)
})

test('the mistake is shown once, after all of them were left, and each field refers to it', () => {
  expect(render({}, 'email')).not.toContain(MESSAGE)
  const html = render({}, 'email', 'phone')
  const seen = html.replaceAll(/<p [^>]*fc-hidden[^>]*>.*?<\/p>/g, '')
  expect(seen.split(MESSAGE)).toHaveLength(2)
  const inputs = Array.from(html.matchAll(/<input\b[^>]*type="(?:email|tel)"[^>]*>/g), ([input]) => input)
  expect(inputs).toHaveLength(2)
  for (const input of inputs) {
    expect(input).toContain('aria-invalid="true"')
    const [, id = 'none'] = /aria-describedby="([^"]+)"/.exec(input) ?? []
    expect(html).toMatch(new RegExp(`id="${id}"[^>]*>${MESSAGE}`))
  }
})

test('one that is asked alone is required like any question', () => {
  const html = render({ call: false }, 'email')
  expect(html).not.toContain('<legend>Email address or phone number')
  expect(html).toContain('aria-required="true"')
  expect(html).toContain('Answer this question.')
})
