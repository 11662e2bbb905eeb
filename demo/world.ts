import type { DemoCustomer } from './demo-customer.ts'
import { harbor } from './customers/harbor.ts'
import { lakeside } from './customers/lakeside.ts'
import { northgate } from './customers/northgate.ts'
import { platform } from './customers/platform.ts'
import { summit } from './customers/summit.ts'

/** The password of every demo account. */
export const DEMO_PASSWORD = 'DemoForecourt7!'

/** The demo customers. All people are fictional; addresses and phone numbers are reserved for examples. */
export const DEMO_WORLD: readonly DemoCustomer[] = [platform, northgate, harbor, summit, lakeside]
