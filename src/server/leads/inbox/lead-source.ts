import { type RawBuilder, sql } from 'kysely'
import { LEAD_LIST } from '#contract/leads/inbox/lead-list.ts'
import { containing, contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import {
  campaignText,
  consentsText,
  contactsText,
  conversationText,
  formAnswersText,
  tradeInText,
} from './exported-lead.ts'
import { answeredBy, isEscalated, wasLate } from './response-facts.ts'

/** The user of the transaction. */
export const currentUser = sql`nullif(current_setting('app.effective_user_id', true), '')::bigint`
/** A person's name, or how to reach them if there is none. */
export const personTitle = sql<string>`coalesce(p.name, p.email, p.phone, 'Unknown')`
const vin = sql`coalesce(v.vin, l.asked_vehicle ->> 'vin')`
const isLate = sql`coalesce(l.waits_until < app_now(), false)`
/** The vehicle was sold, and this lead is still open or was lost. */
export const isSoldElsewhere = sql`coalesce(v.status = 'sold' and l.outcome <> 'sold', false)`

/**
 * The leads within reach. `p` is the person they are shown with: the one of the lead, or the one it was merged into. A user
 * of another organization has no name here.
 */
export const leadSource: ListSource<keyof typeof LEAD_LIST.fields> = {
  list: LEAD_LIST,
  from: sql`leads l join people own on own.customer_id = l.customer_id and own.id = l.person_id
    join people p on p.customer_id = own.customer_id and p.id = coalesce(own.merged_into_id, own.id)
    left join lots lot on lot.customer_id = l.customer_id and lot.id = l.lot_id
    left join vehicles v on v.customer_id = l.customer_id and v.id = l.vehicle_id
    left join users u on u.customer_id = l.customer_id and u.id = l.owner_id`,
  table: sql`leads l`,
  within: (actor) => sql`l.customer_id = ${actor.customerId}`,
  id: sql`l.id`,
  title: personTitle,
  fields: {
    personName: { value: personTitle, joins: 'value', isNeverNull: true },
    waitsUntil: { value: sql`l.waits_until` },
    vehicleTitle: { value: sql`l.vehicle_title` },
    sourceName: { value: sql`l.source_name`, order: sql`l.source_key`, isNeverNull: true },
    sourceKind: { value: sql`l.source_kind`, isNeverNull: true },
    type: { value: sql`l.type`, isNeverNull: true },
    lot: { value: sql`l.lot_id`, shown: sql`lot.name`, joins: 'order' },
    needsStore: { value: sql`l.needs_store`, isNeverNull: true },
    ownerName: { value: sql`nullif(concat_ws(' ', u.first_name, u.last_name), '')`, joins: 'value' },
    status: { value: sql`l.status`, isNeverNull: true },
    outcome: { value: sql`l.outcome`, isNeverNull: true },
    lostReason: { value: sql`l.lost_reason` },
    isSoldElsewhere: { value: isSoldElsewhere, joins: 'value', isNeverNull: true },
    isLate: { value: isLate, isNeverNull: true },
    personId: { value: sql`p.id::text`, joins: 'value', isNeverNull: true },
    shortUrl: { value: sql`l.campaign ->> 'short_url'` },
    ownerId: { value: sql`l.owner_id::text` },
    isMine: { value: sql`coalesce(l.owner_id = ${currentUser}, false)`, isNeverNull: true },
    hasOwner: { value: sql`(l.owner_id is not null)`, isNeverNull: true },
    isAnswered: { value: sql`(l.first_response_at is not null)`, isNeverNull: true },
    isUnanswered: { value: sql`(l.unanswered_since is not null)`, isNeverNull: true },
    isSnoozed: { value: sql`(l.snoozed_until is not null)`, isNeverNull: true },
    wasLate: { value: wasLate, isNeverNull: true },
    isEscalated: { value: isEscalated, isNeverNull: true },
    countsForId: { value: sql`(${answeredBy})::text` },
    isUnfinished: { value: sql`(l.unfinished_step is not null)`, isNeverNull: true },
    isTest: { value: sql`l.is_test`, isNeverNull: true },
    personEmail: { value: sql`p.email`, joins: 'value' },
    personPhone: { value: sql`p.phone`, joins: 'value' },
    vehicleVin: { value: vin, joins: 'value' },
    comments: { value: sql`l.comments` },
    sourceDetails: { value: sql`l.source_details` },
    contacts: { value: contactsText, joins: 'value' },
    vehiclePrice: { value: sql`l.vehicle_price_cents` },
    tradeIn: { value: tradeInText },
    consents: { value: consentsText, joins: 'value' },
    formAnswers: { value: formAnswersText },
    conversation: { value: conversationText },
    campaign: { value: campaignText },
    utmCampaign: { value: sql`l.campaign ->> 'utm_campaign'` },
    pageUrl: { value: sql`l.page_url` },
    language: { value: sql`l.language` },
    assignedAt: { value: sql`l.assigned_at` },
    acceptedAt: { value: sql`l.accepted_at` },
    respondBy: { value: sql`l.respond_by` },
    openResponseSeconds: { value: sql`l.open_response_seconds` },
    snoozedUntil: { value: sql`l.snoozed_until` },
    appointmentAt: { value: sql`l.appointment_at` },
    outcomeAt: { value: sql`l.outcome_at` },
    requestedAt: { value: sql`l.requested_at` },
    firstResponseAt: { value: sql`l.first_response_at` },
    firstResponseBy: { value: sql`l.first_response_by` },
    waitingSince: {
      value: sql`case when l.waits_until is not null then l.received_at else l.unanswered_since end`,
    },
    receivedAt: { value: sql`l.received_at`, isNeverNull: true },
  },
  searchJoins: true,
  search: (text) => {
    const own = contains(
      [
        sql`p.name`,
        sql`p.email`,
        sql`p.phone`,
        sql`l.vehicle_title`,
        vin,
        sql`v.stock`,
        sql`l.source_details`,
      ],
      text,
    )
    // Also by every other address and number of the buyer, of all their leads.
    const byContact = (
      isMatch: RawBuilder<unknown>,
    ) => sql`p.id in (select coalesce(x.merged_into_id, x.id) from person_contacts k
      join people x on x.customer_id = k.customer_id and x.id = k.person_id where ${isMatch})`
    // People write a phone number in many ways.
    const digits = text.replaceAll(/\D/g, '')
    const isPhone = digits.length >= 4 && /^[\d\s().+/-]+$/.test(text)
    return isPhone
      ? sql`(${own} or p.phone_e164 like ${containing(digits)}
      or ${byContact(sql`k.value_key like ${containing(digits)}`)})`
      : sql`(${own} or ${byContact(contains([sql`k.value`], text))})`
  },
}
