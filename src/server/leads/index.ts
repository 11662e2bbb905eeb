// Leads owns inquiries of buyers: receiving, people, consents, the conversation, the response clock, routing and deliveries.
// It does not own forms and what visitors send (marketing), vehicles and prices (inventory), or emails (mail).
// Its rules come from the specification, section 2, and docs/decisions.
export { leadHandlers } from './leads/leads.ts'
export { leadSource } from './leads/lead-source.ts'
export { receiveLead, type NewLead, type ReceivedLead } from './leads/receive-lead.ts'
export type { NewConsent } from './consents/note-consents.ts'
