/** The authenticator of `northgate.phone`, which everybody may know: demo people sign in on this machine alone. */
export const DEMO_AUTHENTICATOR = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  backupCodes: ['DEMO-AAAA-2222', 'DEMO-BBBB-3333', 'DEMO-CCCC-4444'],
} as const
