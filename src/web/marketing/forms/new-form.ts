import type { z } from 'zod'
import type { forms } from '#contract/marketing/forms/forms.ts'
import type { Definition } from '#contract/questions/definition.ts'

const MAX_KEY = 60

/** The address proposed for a form's name: "Book a test drive" becomes `book-a-test-drive`. */
export function addressFor(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_KEY)
    .replaceAll(/^-|-$/g, '')
}

const en = (text: string) => ({ en: text })

/** A simple form that can be published as it is: name, email, phone, message and a consent. */
const TEMPLATE: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'step1',
      title: en('Your request'),
      questions: [
        { type: 'text', code: 'name', title: en('Name'), obligation: 'required' },
        { type: 'email', code: 'email', title: en('Email'), obligation: 'required' },
        { type: 'phone', code: 'phone', title: en('Phone') },
        { type: 'longText', code: 'message', title: en('Message'), maxLength: 2_000 },
        {
          type: 'consent',
          code: 'offers',
          title: en('Offers by email'),
          text: en('{seller} may send me offers by email. I can unsubscribe at any time.'),
          version: 1,
          purpose: 'marketing',
          channels: ['email'],
        },
      ],
    },
  ],
}

/** A new form with the simple template. */
export function newForm(given: {
  name: string
  key: string
  lotId: string | null
}): z.input<typeof forms.add.input> {
  return {
    ...given,
    draft: TEMPLATE,
    leadFields: { fullName: 'name', email: 'email', phone: 'phone', comments: 'message' },
    thankYouTitle: 'Thank you',
    thankYouText: 'We received your message and will get back to you soon.',
  }
}
