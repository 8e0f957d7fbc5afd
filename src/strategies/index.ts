// All strategies, by the names of their files.
import advised from './advised.ts';
import alwaysPeace from './always-peace.ts';
import alwaysWar from './always-war.ts';
import bestResponse from './best-response.ts';
import bluffer from './bluffer.ts';
import bourgeois from './bourgeois.ts';
import cartelOfFive from './cartel-of-five.ts';
import copycat from './copycat.ts';
import diplomat from './diplomat.ts';
import generousTitForTat from './generous-tit-for-tat.ts';
import ghost from './ghost.ts';
import grudger from './grudger.ts';
import lastMinuteSniper from './last-minute-sniper.ts';
import liar from './liar.ts';
import newcomer from './newcomer.ts';
import opportunist from './opportunist.ts';
import queueCamper from './queue-camper.ts';
import raider from './raider.ts';
import random from './random.ts';
import rentSniper from './rent-sniper.ts';
import rotatingPair from './rotating-pair.ts';
import settler from './settler.ts';
import type { Strategy } from './strategy.ts';
import tenant from './tenant.ts';
import titForTat from './tit-for-tat.ts';
import waverer from './waverer.ts';
import winStayLoseShift from './win-stay-lose-shift.ts';

const files = {
  'always-peace': alwaysPeace,
  'always-war': alwaysWar,
  'tit-for-tat': titForTat,
  'generous-tit-for-tat': generousTitForTat,
  grudger,
  'win-stay-lose-shift': winStayLoseShift,
  bourgeois,
  'rotating-pair': rotatingPair,
  'queue-camper': queueCamper,
  'rent-sniper': rentSniper,
  'last-minute-sniper': lastMinuteSniper,
  bluffer,
  'cartel-of-five': cartelOfFive,
  newcomer,
  random,
  'best-response': bestResponse,
  copycat,
  diplomat,
  ghost,
  liar,
  opportunist,
  raider,
  settler,
  tenant,
  waverer,
  advised,
} satisfies Record<string, Strategy>;

export const strategies: Readonly<Record<keyof typeof files, Strategy>> = files;
