import type { Definition, Question } from '#contract/questions/definition.ts'
import type { LeadFields } from '#contract/marketing/forms/lead-fields.ts'

const en = (text: string) => ({ en: text })

const CONTACT: readonly Question[] = [
  { type: 'text', code: 'firstName', title: en('First name'), obligation: 'required', maxLength: 80 },
  { type: 'text', code: 'lastName', title: en('Last name'), maxLength: 80 },
  { type: 'email', code: 'email', title: en('Email'), oneOf: 'contact' },
  {
    type: 'phone',
    code: 'phone',
    title: en('Phone'),
    help: en('Only if you would like a call.'),
    oneOf: 'contact',
  },
]
const NEWS: Question = {
  type: 'consent',
  code: 'news',
  title: en('Offers by email'),
  text: en('{seller} may send me offers by email. I can unsubscribe at any time.'),
  version: 1,
  purpose: 'marketing',
  channels: ['email'],
}
const MESSAGE: Question = { type: 'longText', code: 'message', title: en('Your question'), maxLength: 2_000 }

/** Who sends these forms. */
const SENDER: LeadFields = {
  firstName: 'firstName',
  lastName: 'lastName',
  email: 'email',
  phone: 'phone',
  comments: 'message',
}

export type DemoForm = Readonly<{
  name: string
  key: string
  definition: Definition
  leadFields: LeadFields
  isOnVehiclePages?: true
  isInMenu?: true
  thankYouTitle: string
  thankYouText: string
  /** Share of the submissions. */
  weight: number
}>

/** The forms of a dealer group. */
export const DEMO_FORMS: readonly DemoForm[] = [
  {
    name: 'Ask about this vehicle',
    key: 'ask',
    isOnVehiclePages: true,
    leadFields: SENDER,
    thankYouTitle: 'Thank you for your question',
    thankYouText: 'We will answer within our opening hours, usually within an hour.',
    weight: 5,
    definition: {
      languages: ['en'],
      sections: [
        {
          id: 'ask',
          title: en('Your question'),
          questions: [
            ...CONTACT,
            MESSAGE,
            NEWS,
            { type: 'text', code: 'ad', title: en('Ad'), isHidden: true, prefill: 'ad' },
          ],
        },
      ],
    },
  },
  {
    name: 'Test drive',
    key: 'test-drive',
    isInMenu: true,
    leadFields: { ...SENDER, contactTime: 'time' },
    thankYouTitle: 'Your test drive',
    thankYouText: 'We will call or write to confirm the time. Please bring your driver license.',
    weight: 2,
    definition: {
      languages: ['en'],
      sections: [
        { id: 'you', title: en('How can we reach you?'), questions: [...CONTACT, MESSAGE, NEWS] },
        {
          id: 'when',
          title: en('When would you like to come?'),
          questions: [
            { type: 'date', code: 'day', title: en('Day'), obligation: 'required' },
            {
              type: 'single',
              code: 'time',
              title: en('Time'),
              obligation: 'required',
              choices: [
                { value: 'morning', title: en('Morning') },
                { value: 'afternoon', title: en('Afternoon') },
                { value: 'evening', title: en('Evening') },
              ],
            },
          ],
        },
      ],
    },
  },
  {
    name: 'Value my trade-in',
    key: 'trade-in',
    isInMenu: true,
    leadFields: {
      ...SENDER,
      tradeVin: 'vin',
      tradeYear: 'year',
      tradeMake: 'make',
      tradeModel: 'model',
      tradeMileage: 'mileage',
    },
    thankYouTitle: 'We are valuing your vehicle',
    thankYouText: 'You will get our offer within one business day.',
    weight: 2,
    definition: {
      languages: ['en'],
      sections: [
        { id: 'you', title: en('How can we reach you?'), questions: [...CONTACT, MESSAGE, NEWS] },
        {
          id: 'vehicle',
          title: en('Your vehicle'),
          questions: [
            { type: 'vin', code: 'vin', title: en('VIN'), help: en('On the dashboard or the door frame.') },
            {
              type: 'number',
              code: 'year',
              title: en('Year'),
              decimals: 0,
              min: '1950',
              max: '2035',
              requiredIf: 'vin == null',
            },
            { type: 'text', code: 'make', title: en('Make'), requiredIf: 'vin == null' },
            { type: 'text', code: 'model', title: en('Model'), requiredIf: 'vin == null' },
            {
              type: 'number',
              code: 'mileage',
              title: en('Mileage'),
              unit: 'mi',
              decimals: 0,
              min: '0',
              obligation: 'required',
            },
            {
              type: 'rating',
              code: 'condition',
              title: en('Condition'),
              max: 5,
              lowest: en('poor'),
              highest: en('like new'),
            },
            {
              type: 'boolean',
              code: 'accident',
              title: en('Has it been in an accident?'),
              obligation: 'required',
            },
          ],
        },
        {
          id: 'accident',
          title: en('The accident'),
          visibleIf: 'accident',
          questions: [
            { type: 'longText', code: 'damage', title: en('What was damaged?'), obligation: 'required' },
          ],
        },
      ],
    },
  },
  {
    name: 'Contact us',
    key: 'contact',
    isInMenu: true,
    leadFields: SENDER,
    thankYouTitle: 'Thank you',
    thankYouText: 'We will answer soon.',
    weight: 1,
    definition: {
      languages: ['en'],
      sections: [
        {
          id: 'contact',
          title: en('Your message'),
          questions: [
            {
              type: 'single',
              code: 'topic',
              title: en('What is it about?'),
              obligation: 'required',
              choices: [
                { value: 'sales', title: en('Buying a vehicle') },
                { value: 'service', title: en('Service and parts') },
                { value: 'other', title: en('Something else') },
              ],
            },
            ...CONTACT,
            { ...MESSAGE, obligation: 'required' },
            NEWS,
          ],
        },
      ],
    },
  },
]
