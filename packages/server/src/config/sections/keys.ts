import { z } from 'zod'
import { keyReference, keyReferences } from '../key-reference.ts'
import { setting } from '../setting.ts'
import { flag, text, webUrl, whole } from '../value-kinds.ts'

export const keySettings = {
  KEYS: setting(text.optional(), {
    meaning: 'folder of the key files, which only their owner may read',
    example: '/etc/sotto/keys',
    defaultText: '`keys` in `SOTTO_DATA`',
  }),
  KEYSTORE: setting(z.enum(['file', 'vault']).default('file'), {
    meaning:
      "the store of the hourly keys, the pepper of API keys and the operator's token: files in `SOTTO_KEYS`, or Vault's KV engine, version 2",
    example: 'vault',
  }),
  KEY_CHECK_SECONDS: setting(whole(1, 60).prefault('20'), {
    meaning:
      'interval at which each process checks for destroyed hourly keys and zeroes its copies of these keys',
    example: '10',
  }),
  AUTHORISER_KEY: setting(keyReference.optional(), {
    meaning: 'the key that authorises deposits',
    example: 'vault:authoriser',
    defaultText: '`authoriser.json` in `SOTTO_KEYS`',
  }),
  RELAYER_KEYS: setting(keyReferences.optional(), {
    meaning: 'the keys of the relayers, which pay for deliveries; separated by commas',
    example: 'vault:relayer-1,vault:relayer-2',
    defaultText: '`relayers/*.json` in `SOTTO_KEYS`',
  }),
  ALLOW_FILE_KEYS: setting(flag.prefault('false'), {
    meaning: 'true allows mainnet keys in files on this machine',
    example: 'true',
  }),
}

export const vaultSettings = {
  VAULT_URL: setting(webUrl.optional(), {
    meaning: "Vault's address",
    example: 'https://vault.example.com:8200',
    defaultText: 'none',
    secret: 'url',
  }),
  VAULT_TOKEN: setting(text.optional(), {
    meaning:
      'the token for Vault; if it comes from a file, the file is read again when Vault refuses the token',
    example: 'hvs.CAES',
    defaultText: 'none',
    secret: 'value',
  }),
  VAULT_NAMESPACE: setting(text.optional(), {
    meaning: 'the namespace in Vault (Enterprise, HCP)',
    example: 'admin/sotto',
    defaultText: 'none',
  }),
  VAULT_TRANSIT: setting(text.default('transit'), {
    meaning: "the mount path of Vault's transit engine",
    example: 'transit',
  }),
  VAULT_KV: setting(text.default('secret'), {
    meaning: "the mount path of Vault's KV engine, version 2",
    example: 'secret',
  }),
  VAULT_KV_PATH: setting(text.default('sotto'), {
    meaning: 'the path in the KV engine under which this service keeps its secrets',
    example: 'sotto/mainnet',
  }),
}

export const awsSettings = {
  AWS_REGION: setting(text.optional(), {
    meaning: 'the region of the KMS keys',
    example: 'eu-central-1',
    defaultText: 'none',
  }),
  AWS_KMS_URL: setting(webUrl.optional(), {
    meaning: 'another URL of KMS, such as a VPC endpoint',
    example: 'https://vpce-1.kms.eu-central-1.vpce.amazonaws.com',
    defaultText: "the region's",
    secret: 'url',
  }),
  AWS_CREDENTIALS_URL: setting(webUrl.optional(), {
    meaning:
      'the URL of short-lived credentials, as ECS (http://169.254.170.2/...) and EKS Pod Identity (http://169.254.170.23/v1/credentials) offer them',
    example: 'http://169.254.170.23/v1/credentials',
    defaultText: 'none',
    secret: 'url',
  }),
  AWS_CREDENTIALS_TOKEN: setting(text.optional(), {
    meaning:
      'the Authorization header for SOTTO_AWS_CREDENTIALS_URL; if it comes from a file, the file is read for each request',
    example: 'eyJhbGciOi',
    defaultText: 'none',
    secret: 'value',
  }),
  AWS_ACCESS_KEY_ID: setting(text.optional(), {
    meaning:
      'the access key id of permanent credentials, for use without a URL of short-lived credentials',
    example: 'AKIAIOSFODNN7EXAMPLE',
    defaultText: 'none',
    secret: 'value',
  }),
  AWS_SECRET_ACCESS_KEY: setting(text.optional(), {
    meaning: 'the secret access key of the permanent credentials',
    example: 'wJalrXUtnFEMI',
    defaultText: 'none',
    secret: 'value',
  }),
}
