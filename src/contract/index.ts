import { auditLog } from './administration/audit-log.ts'
import { factorEditions } from './carbon/factor-editions.ts'
import { carbonAssignments } from './carbon/assignments.ts'
import { activities } from './carbon/activity.ts'
import { activityImports } from './carbon/activity-imports.ts'
import { dataRequests } from './carbon/data-requests.ts'
import { evidence } from './carbon/evidence.ts'
import { factors } from './carbon/factors.ts'
import { instruments } from './carbon/instruments.ts'
import { carbonComparison } from './carbon/comparison.ts'
import { carbonGroup } from './carbon/group.ts'
import { importedTotals } from './carbon/imported-totals.ts'
import { ledger } from './carbon/ledger.ts'
import { carbonInventories } from './carbon/inventories.ts'
import { customers } from './customers/customers.ts'
import { customerDetails } from './customers/details.ts'
import { dealerIds } from './customers/dealer-ids.ts'
import { lots } from './customers/lots.ts'
import type { Contract } from './endpoint.ts'
import { files } from './files/files.ts'
import { dashboard } from './home/dashboard.ts'
import { health } from './home/health.ts'
import { search } from './home/search.ts'
import { auth } from './identity/auth.ts'
import { secondFactor } from './identity/second-factor.ts'
import { impersonation } from './identity/impersonation.ts'
import { sessions } from './identity/sessions.ts'
import { google } from './identity/google.ts'
import { userTypes } from './identity/user-types.ts'
import { users } from './identity/users.ts'
import { whiteLabels } from './identity/white-labels.ts'
import { feedRuns } from './inventory/feed-runs.ts'
import { feedSources, inboundFeeds } from './inventory/feed-sources.ts'
import { channels, publicFeeds } from './inventory/channels.ts'
import { providerMappings } from './inventory/provider-mappings.ts'
import { unmappedValues } from './inventory/values/unmapped-values.ts'
import { valueMappings } from './inventory/values/value-mappings.ts'
import { customFields } from './inventory/custom-fields.ts'
import { vehiclePhotos } from './inventory/vehicle-photos.ts'
import { vehicles } from './inventory/vehicles.ts'
import { vins } from './inventory/vin.ts'
import { jobs } from './jobs/jobs.ts'
import { facets } from './lists/facets.ts'
import { views } from './lists/views.ts'
import { emailHandlers } from './mail/handlers.ts'
import { mailEvents } from './mail/mail-events.ts'
import { outbox } from './mail/outbox.ts'
import { emailTemplates } from './mail/templates.ts'
import { suppressions } from './mail/suppressions.ts'
import { facilities } from './organizations/facilities.ts'
import { organizations } from './organizations/organizations.ts'
import { organizationProfiles } from './organizations/profiles.ts'
import { setUp } from './organizations/set-up.ts'
import { reports } from './reports/reports.ts'

/** Every domain's endpoints. What is not listed here does not exist. */
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
  carbonInventories,
  carbonAssignments,
  dataRequests,
  providerMappings,
  feedSources,
  inboundFeeds,
  feedRuns,
  channels,
  publicFeeds,
  valueMappings,
  unmappedValues,
  views,
  facets,
  jobs,
  search,
  reports,
  dashboard,
  health,
  auditLog,
} satisfies Contract
