/** Units that only electricity, or only gas, is billed in. */
export const ELECTRIC = /^[kmgt]?wh$/i
export const GAS = /^(therms?|thm|dth|dekatherms?|ccf|mcf|hcf|mmbtu)$/i
