import { participantArea } from './participants/area/participant-area.ts'
import { assessmentParticipants } from './participants/invitations/participants.ts'
import { questionBank } from './questionnaires/bank/question-bank.ts'
import { questionnaireFiles } from './questionnaires/import/questionnaire-files.ts'
import { questionnaires } from './questionnaires/questionnaires/questionnaires.ts'
import { auditLog } from './administration/audit-log.ts'
import { factorEditions } from './carbon/factors/factor-editions.ts'
import { carbonAssignments } from './carbon/inventories/assignments.ts'
import { activities } from './carbon/activity/activity.ts'
import { activityImports } from './carbon/activity/activity-imports.ts'
import { dataRequests } from './carbon/activity/data-requests.ts'
import { evidence } from './carbon/activity/evidence.ts'
import { customSources } from './carbon/inventories/custom-sources.ts'
import { factors } from './carbon/factors/factors.ts'
import { instruments } from './carbon/activity/instruments.ts'
import { carbonComparison } from './carbon/results/comparison.ts'
import { carbonGroup } from './carbon/results/group.ts'
import { importedTotals } from './carbon/activity/imported-totals.ts'
import { ledger } from './carbon/results/ledger.ts'
import { carbonOpenItems } from './carbon/results/open-items.ts'
import { inventoryApprovals } from './carbon/approvals/approvals.ts'
import { inventoryReopenings } from './carbon/approvals/reopenings.ts'
import { inventoryApproval } from './carbon/inventories/approval.ts'
import { baseYear } from './carbon/inventories/base-year.ts'
import { carbonInventories } from './carbon/inventories/inventories.ts'
import { customers } from './customers/customers/customers.ts'
import { customerDetails } from './customers/details/details.ts'
import { dealerIds } from './customers/dealer-ids/dealer-ids.ts'
import { lots } from './customers/lots/lots.ts'
import type { Contract } from './endpoint.ts'
import { files } from './files/files.ts'
import { largeUploads } from './files/large-uploads.ts'
import { mediaMoves } from './files/media-moves.ts'
import { mediaTexts } from './files/media-texts.ts'
import { sameFiles } from './files/same-files.ts'
import { dashboard } from './home/dashboard.ts'
import { health } from './home/health.ts'
import { outgoing } from './home/outgoing.ts'
import { search } from './home/search.ts'
import { auth } from './identity/auth.ts'
import { secondFactor } from './identity/second-factor/second-factor.ts'
import { impersonation } from './identity/impersonation/impersonation.ts'
import { sessions } from './identity/sessions/sessions.ts'
import { google } from './identity/sign-in/google.ts'
import { userTypes } from './identity/user-types/user-types.ts'
import { users } from './identity/users/users.ts'
import { whiteLabels } from './identity/branding/white-labels.ts'
import { feedRuns } from './feeds/runs/feed-runs.ts'
import { feedSources, inboundFeeds } from './feeds/sources/feed-sources.ts'
import { channels, publicFeeds } from './channels/channels/channels.ts'
import { providerMappings } from './feeds/mappings/provider-mappings.ts'
import { unmappedValues } from './feeds/values/unmapped-values.ts'
import { valueMappings } from './feeds/values/value-mappings.ts'
import { customFields } from './vehicles/vehicles/custom-fields/custom-fields.ts'
import { vehiclePhotos } from './vehicles/vehicles/photos/vehicle-photos.ts'
import { advertisedPrices } from './pricing/advertised/advertised-prices.ts'
import { ruleRequests } from './pricing/rules/rule-requests.ts'
import { ruleFiles } from './pricing/rules/rule-files.ts'
import { pricingRules } from './pricing/rules/pricing-rules.ts'
import { vehiclePrices } from './pricing/totals/vehicle-price.ts'
import { vehicles } from './vehicles/vehicles/vehicles.ts'
import { vins } from './vehicles/vin/vin.ts'
import { jobs } from './jobs/jobs.ts'
import { facets } from './lists/facets.ts'
import { views } from './lists/views.ts'
import { inboundAddresses } from './leads/inbound/inbound-addresses.ts'
import { inboundLeads, inboundMessages } from './leads/inbound/inbound-messages.ts'
import { leadDeliveries } from './leads/deliveries/lead-deliveries.ts'
import { leadDestinations } from './leads/destinations/lead-destinations.ts'
import { leads } from './leads/inbox/leads.ts'
import { leadFiles } from './leads/inbox/lead-files.ts'
import { leadMoves } from './leads/inbox/lead-moves.ts'
import { leadResponses } from './leads/inbox/lead-responses.ts'
import { leadTeam } from './leads/routing/lead-team.ts'
import { leadNotices } from './leads/inbox/lead-notices.ts'
import { leadAbsences } from './leads/routing/lead-absences.ts'
import { answerTemplates } from './leads/reply-templates/answer-templates.ts'
import { personData } from './leads/people/person-data.ts'
import { leadSettings } from './leads/inbox/lead-settings.ts'
import { people } from './leads/people/people.ts'
import { leadRoutingRules } from './leads/routing/lead-routing-rules.ts'
import { emailHandlers } from './mail/handlers/handlers.ts'
import { mailEvents } from './mail/outbox/mail-events.ts'
import { outbox } from './mail/outbox/outbox.ts'
import { emailTemplates } from './mail/templates/templates.ts'
import { suppressions } from './mail/suppressed/suppressions.ts'
import { facilities } from './organizations/facilities/facilities.ts'
import { organizations } from './organizations/organizations.ts'
import { assessmentActions } from './assessments/actions/actions.ts'
import { assessmentAnswers } from './assessments/targets/answers.ts'
import { assessmentPresence } from './assessments/targets/presence.ts'
import { assessmentResults } from './assessments/results/results.ts'
import { assessments } from './assessments/assessments/assessments.ts'
import { assessmentSetup } from './assessments/assessments/setup.ts'
import { targetReopenings } from './assessments/targets/target-reopenings.ts'
import { targetSnapshots } from './assessments/targets/target-snapshots.ts'
import { assessmentTargets } from './assessments/targets/targets.ts'
import { assessmentVersions } from './assessments/assessments/version-change.ts'
import { forms } from './marketing/forms/forms.ts'
import { submissions } from './marketing/forms/submissions.ts'
import { dvpLayouts } from './marketing/layouts/layouts.ts'
import { savedBlocks } from './marketing/saved-blocks/saved-blocks.ts'
import { campaigns } from './marketing/campaigns/campaigns.ts'
import { campaignRecipients } from './marketing/campaigns/recipients.ts'
import { importedLists } from './marketing/campaigns/imported-lists.ts'
import { promoPages } from './marketing/pages/promo-pages.ts'
import { shortUrls } from './marketing/short-urls/short-urls.ts'
import { organizationProfiles } from './organizations/profile/profiles.ts'
import { setUp } from './organizations/set-up.ts'
import { reports } from './reports/reports.ts'

/** The endpoints of every domain. There are no others. */
export const contract = {
  auth,
  secondFactor,
  impersonation,
  sessions,
  google,
  setUp,
  users,
  userTypes,
  organizations,
  organizationProfiles,
  facilities,
  outbox,
  files,
  sameFiles,
  mediaMoves,
  mediaTexts,
  largeUploads,
  emailHandlers,
  suppressions,
  emailTemplates,
  mailEvents,
  whiteLabels,
  customers,
  customerDetails,
  lots,
  dealerIds,
  vehicles,
  vehiclePrices,
  advertisedPrices,
  pricingRules,
  ruleFiles,
  ruleRequests,
  vehiclePhotos,
  customFields,
  vins,
  factors,
  factorEditions,
  activities,
  carbonComparison,
  carbonGroup,
  importedTotals,
  activityImports,
  evidence,
  instruments,
  ledger,
  carbonOpenItems,
  carbonInventories,
  inventoryApproval,
  inventoryApprovals,
  inventoryReopenings,
  baseYear,
  carbonAssignments,
  customSources,
  dataRequests,
  providerMappings,
  feedSources,
  inboundFeeds,
  feedRuns,
  channels,
  publicFeeds,
  valueMappings,
  unmappedValues,
  leads,
  leadFiles,
  leadMoves,
  leadResponses,
  leadTeam,
  leadNotices,
  leadAbsences,
  answerTemplates,
  leadSettings,
  inboundAddresses,
  inboundMessages,
  inboundLeads,
  people,
  personData,
  assessments,
  assessmentSetup,
  assessmentTargets,
  targetReopenings,
  targetSnapshots,
  assessmentVersions,
  assessmentAnswers,
  assessmentPresence,
  assessmentResults,
  assessmentActions,
  leadRoutingRules,
  leadDestinations,
  leadDeliveries,
  forms,
  submissions,
  campaigns,
  campaignRecipients,
  importedLists,
  promoPages,
  dvpLayouts,
  savedBlocks,
  shortUrls,
  questionnaires,
  questionnaireFiles,
  questionBank,
  assessmentParticipants,
  participantArea,
  views,
  facets,
  jobs,
  search,
  reports,
  dashboard,
  health,
  outgoing,
  auditLog,
} satisfies Contract
