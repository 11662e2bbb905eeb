// Leads owns inquiries of buyers: receiving, people, consents, the conversation, the response clock, routing and deliveries.
// It does not own forms and what visitors send (marketing), vehicles and prices (inventory), or emails (mail).
// Its rules come from the specification, section 2, and docs/decisions.
export { makeDeliveryWorker } from './deliveries/delivery-worker.ts'
export { leadDeliveryHandlers, leadDeliverySource } from './deliveries/lead-deliveries.ts'
export { addLeadDestination, leadDestinationHandlers } from './deliveries/lead-destinations.ts'
export { addLeadRule, leadRoutingRuleHandlers } from './routing/lead-routing-rules.ts'
export { sealedWebhookSecrets } from './webhooks/webhook-secret.ts'
export { leadHandlers } from './leads/leads.ts'
export { leadResponseHandlers } from './leads/lead-responses.ts'
export { leadSettingsHandlers } from './leads/lead-settings.ts'
export { hasDueLeadSteps, takeDueLeadSteps } from './leads/lead-steps.ts'
export { purgeLeads } from './leads/purge-leads.ts'
export { leadSource } from './leads/lead-source.ts'
export { receiveLead } from './leads/receive-lead.ts'
export { receiveReply } from './leads/receive-reply.ts'
export { noteAutomaticReply } from './leads/note-message.ts'
export { peopleHandlers } from './people/people.ts'
export type { NewConsent } from './consents/note-consents.ts'
