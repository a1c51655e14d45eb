export const API_VERSION = 'v1.0.0'
