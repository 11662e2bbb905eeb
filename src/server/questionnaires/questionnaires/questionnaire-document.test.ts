import { expect, test } from 'vitest'
import { Definition } from '#contract/questions/definition.ts'
import { questionnaireDocument } from './questionnaire-document.ts'

const en = (text: string) => ({ en: text })

test('a printed questionnaire says which questions are alternatives', () => {
  const definition = Definition.parse({
    languages: ['en'],
    sections: [
      {
        id: 'you',
        title: en('You'),
        questions: [
          { type: 'text', code: 'name', title: en('Name'), obligation: 'required' },
          { type: 'email', code: 'email', title: en('Email'), oneOf: 'contact' },
          { type: 'phone', code: 'phone', title: en('Phone'), oneOf: 'contact' },
        ],
      },
    ],
  })
  const [section] = questionnaireDocument('Contact', definition, 'en').groups ?? []
  expect(section?.rows.map(([number, text]) => `${number} ${text}`)).toEqual([
    '1.1 Name *',
    '1.2 Email\n(Answer at least one of 1.2, 1.3.)',
    '1.3 Phone\n(Answer at least one of 1.2, 1.3.)',
  ])
})
