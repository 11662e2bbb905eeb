import { customers } from './customers/customers.ts'
import { customerDetails } from './customers/details.ts'
import { lots } from './customers/lots.ts'
import type { Contract } from './endpoint.ts'
import { dashboard } from './home/dashboard.ts'
import { health } from './home/health.ts'
import { auth } from './identity/auth.ts'
import { userTypes } from './identity/user-types.ts'
import { users } from './identity/users.ts'
import { outbox } from './mail/outbox.ts'
import { organizations } from './organizations/organizations.ts'
import { setUp } from './organizations/set-up.ts'

/** Every domain's endpoints. What is not listed here does not exist. */
export const contract = {
  auth,
  setUp,
  users,
  userTypes,
  organizations,
  outbox,
  customers,
  customerDetails,
  lots,
  dashboard,
  health,
} satisfies Contract
