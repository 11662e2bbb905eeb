import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { blankBlock } from '#contract/marketing/pages/blocks.ts'
import { savedBlocks } from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { type PromoPage, promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import type { Definition } from '#contract/questions/definition.ts'
import type { InventoryFactories } from '#test/factories/vehicles/add-inventory.ts'
import { fresh, freshCode } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'
import { proven, visitorOf } from './visitor.ts'

export type AddedForm = Pick<Form, 'id' | 'key' | 'version'>

export type AddedPage = Pick<PromoPage, 'id' | 'slug' | 'name' | 'title' | 'version'>

export type MarketingFactories = {
  /** A published form whose submissions go to a new lot of this organization. */
  addForm: (more?: Partial<Form>) => Promise<AddedForm>
  /** Sends a form like a visitor who takes a minute, with a proof of work or without scripts, or like a bot. Returns the ID of the submission. */
  addSubmission: (
    form?: AddedForm,
    more?: { isBot?: boolean; hasProof?: boolean; fields?: Record<string, string> },
  ) => Promise<string>
  /** Notes a file of a new submission, without its bytes. Returns its ID. */
  addFormFile: () => Promise<string>
  /** A promo page of a new lot of this organization, with a text. */
  addPage: (more?: object, state?: { isPublished?: boolean }) => Promise<AddedPage>
  /** A layout that allows everything. Returns its ID. */
  addLayout: (more?: object) => Promise<string>
  /** A disclaimer that is saved for reuse. Returns its ID. */
  addSavedBlocks: (more?: object) => Promise<string>
  /** A draft of a campaign of a new lot of this organization. */
  addCampaign: (more?: object) => Promise<{ id: string; lotId: string; version: number }>
  /** A list of one person for campaigns. Returns its ID. */
  addImportedList: () => Promise<string>
  /** A short URL that leads to another site. Returns its ID. */
  addShortUrl: (more?: object) => Promise<string>
}

const en = (text: string) => ({ en: text })

/** Asks for name, email, a message and a consent. */
export const ASK: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'ask',
      title: en('Ask'),
      questions: [
        { type: 'text', code: 'name', title: en('Your name'), obligation: 'required' },
        { type: 'email', code: 'email', title: en('Email'), obligation: 'required' },
        { type: 'phone', code: 'phone', title: en('Phone') },
        { type: 'longText', code: 'message', title: en('Your question') },
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

/** A block of a promo page. */
export const TEXT_BLOCK = {
  id: 'text',
  type: 'text',
  v: 1,
  data: { heading: 'About', text: 'All trucks are here.' },
}

export function marketingFactories(
  place: Place,
  { addLot }: Pick<InventoryFactories, 'addLot'>,
): MarketingFactories {
  const { forecourt, customerId, staff, call } = place
  const addForm = async (more: Partial<Form> = {}): Promise<AddedForm> => {
    const name = fresh('Form')
    const form = await staff.call(forms.add, {
      name,
      key: name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      lotId: await addLot(),
      draft: ASK,
      leadFields: { fullName: 'name', email: 'email', phone: 'phone', comments: 'message' },
      thankYouTitle: 'Thank you',
      thankYouText: 'We will answer soon.',
      ...more,
    })
    return staff.call(forms.publish, { id: form.id, version: form.version })
  }
  const addSubmission: MarketingFactories['addSubmission'] = async (
    given,
    { isBot = false, hasProof = false, fields = {} } = {},
  ) => {
    const form = given ?? (await addForm())
    const { rows } = await forecourt.owner.query<{ domain: string }>(
      `select domain from white_labels where customer_id = $1 and purpose = 'public' and domain like '%.localhost'`,
      [customerId],
    )
    const url = `/f/${form.key}`
    const { open, send } = visitorOf(forecourt, rows[0]?.domain ?? '')
    const page = await open(url)
    const hidden = hasProof ? await proven(page) : page.hidden
    const name = fields['name'] ?? fresh('Visitor')
    const token = isBot ? { [FIELD_NAMES.token]: '' } : {}
    const sent = await send(
      url,
      { ...hidden, ...token },
      { name, email: 'visitor@mail.example', ...fields },
      60,
    )
    if (sent.status !== 303) throw new Error(`The form was not accepted: ${sent.status} ${sent.text}`)
    const { results } = await staff.call(submissions.list, { search: name })
    const [submission] = results ?? []
    if (submission === undefined) throw new Error('The submission is not in the list.')
    return submission.id
  }
  return {
    addForm,
    addSubmission,
    async addFormFile() {
      const { rows } = await forecourt.owner.query<{ id: string }>(
        `insert into form_files (customer_id, organization_id, form_id, page_key, submission_id, question_code, name, stored_as, type, size, sha256)
        select customer_id, organization_id, form_id, left(sent_key, 24), id, 'photos', 'car.jpg', gen_random_uuid(), 'image/jpeg', 1, 'x'
        from form_submissions where customer_id = $1 and id = $2 returning id::text`,
        [customerId, await addSubmission()],
      )
      return rows[0]?.id ?? ''
    },
    async addPage(more = {}, { isPublished = false } = {}) {
      const slug = freshCode('page-').toLowerCase()
      const input = {
        name: fresh('Page'),
        slug,
        lotId: await addLot(),
        title: 'Clearance',
        blocks: [TEXT_BLOCK],
        ...more,
      }
      const page = await staff.call(promoPages.add, promoPages.add.input.parse(input))
      return isPublished ? staff.call(promoPages.publish, { id: page.id, version: page.version }) : page
    },
    addImportedList: async () => addListOfOne(place, await addLot()),
    addLayout: async (more = {}) => (await staff.call(dvpLayouts.add, { name: fresh('Layout'), ...more })).id,
    addSavedBlocks: async (more = {}) => {
      const blocks = [blankBlock('disclaimer', 'terms')]
      return (await staff.call(savedBlocks.add, { name: fresh('Saved'), blocks, ...more })).id
    },
    async addCampaign(more = {}) {
      const input = { name: fresh('Campaign'), lotId: await addLot(), ...more }
      return staff.call(campaigns.add, campaigns.add.input.parse(input))
    },
    async addShortUrl(more = {}) {
      const input = { name: fresh('Link'), target: 'url', url: 'https://www.dealer.example/offers', ...more }
      return (await call(shortUrls.add, shortUrls.add.input.parse(input))).id
    },
  }
}

async function addListOfOne({ forecourt, customerId }: Place, lotId: string): Promise<string> {
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `with list as (
          insert into imported_lists (customer_id, organization_id, lot_id, name, file_name, row_count, invalid_count, duplicate_count)
          select customer_id, organization_id, id, $3, 'list.csv', 1, 0, 0 from lots where customer_id = $1 and id = $2
          returning customer_id, organization_id, id
        ), person as (
          insert into people (customer_id, organization_id, name, email) select customer_id, organization_id, 'Casey Doe', $4 from list returning id
        ), member as (
          insert into imported_list_people (customer_id, list_id, organization_id, person_id, row_number, is_new)
          select list.customer_id, list.id, list.organization_id, person.id, 2, true from list, person
        ), waiting as (
          insert into imported_list_rows (customer_id, list_id, organization_id, row_number, email)
          select customer_id, id, organization_id, 3, 'waiting@mail.example' from list
        ) select id::text from list`,
    [customerId, lotId, fresh('List'), `${freshCode('listed').toLowerCase()}@mail.example`],
  )
  return rows[0]?.id ?? ''
}
