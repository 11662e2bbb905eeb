/** The authenticator of `northgate.phone`. It is public because demo users can sign in only on the local machine. */
export const DEMO_AUTHENTICATOR = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  backupCodes: ['DEMO-AAAA-2222', 'DEMO-BBBB-3333', 'DEMO-CCCC-4444'],
} as const
