import type { Definition } from '#contract/questions/definition.ts'

const en = (text: string) => ({ en: text })
const choices = ['Poor', 'Fair', 'Good'].map((title) => ({ value: title.toLowerCase(), title: en(title) }))

/** A public form with every type of question that visitors can answer. */
export const EVERY_TYPE: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'all',
      title: en('All'),
      description: en('Tell us about your vehicles.'),
      questions: [
        { type: 'note', code: 'hint', title: en('Good to know'), text: en('We answer within one day.') },
        { type: 'text', code: 'name', title: en('Your name') },
        { type: 'email', code: 'email', title: en('Email'), obligation: 'required' },
        { type: 'phone', code: 'phone', title: en('Phone'), help: en('Only if you would like a call.') },
        { type: 'url', code: 'site', title: en('Web address') },
        { type: 'vin', code: 'vin', title: en('VIN') },
        { type: 'postalCode', code: 'zip', title: en('ZIP code of the sale') },
        { type: 'number', code: 'worth', title: en('Worth'), unit: 'USD', obligation: 'required' },
        { type: 'date', code: 'day', title: en('Day') },
        { type: 'boolean', code: 'paid', title: en('Is it paid off?') },
        { type: 'single', code: 'state', title: en('State'), choices, allowOther: true },
        {
          type: 'single',
          code: 'month',
          title: en('Month'),
          choices: Array.from({ length: 12 }, (_, at) => ({ value: `m${at}`, title: en(`Month ${at + 1}`) })),
        },
        { type: 'multiple', code: 'damage', title: en('Damage'), choices, allowOther: true },
        {
          type: 'rating',
          code: 'look',
          title: en('Looks'),
          max: 10,
          lowest: en('poor'),
          highest: en('like new'),
        },
        {
          type: 'matrix',
          code: 'parts',
          title: en('Condition of the parts'),
          obligation: 'required',
          rows: [
            { code: 'body', title: en('Body') },
            { code: 'tires', title: en('Tires') },
          ],
          choices,
        },
        {
          type: 'table',
          code: 'cars',
          title: en('Your vehicles'),
          maxRows: 6,
          columns: [
            { type: 'text', code: 'make', title: en('Make'), isRequired: true },
            { type: 'number', code: 'miles', title: en('Miles'), total: 'allMiles' },
            { type: 'date', code: 'since', title: en('Owned since') },
            { type: 'boolean', code: 'runs', title: en('Runs') },
            { type: 'single', code: 'state', title: en('State'), choices },
          ],
        },
        { type: 'computed', code: 'sum', title: en('All miles'), calculate: 'allMiles', result: 'number' },
        { type: 'address', code: 'home', title: en('Where is it?') },
        { type: 'person', code: 'owner', title: en('Second owner') },
        { type: 'file', code: 'photos', title: en('Photos'), accept: ['image', 'pdf'], maxFiles: 3 },
        { type: 'longText', code: 'more', title: en('Anything else?') },
        {
          type: 'consent',
          code: 'news',
          title: en('Offers by email'),
          text: en('{seller} may send me offers by email.'),
          version: 1,
          purpose: 'marketing',
          channels: ['email'],
        },
      ],
    },
  ],
}
