import './style/tokens.css';
import './style/base.css';
import './style/page.css';
import './style/side.css';
import './style/table.css';
import './style/reference.css';
import { applyTheme } from './state/theme.js';
import './view/theme-switch.js';

/**
 * The reference of the interface is there without this, for any server; here its commands are for the one that served
 * it.
 */
const SERVER = 'http://127.0.0.1:8080/';

applyTheme();
for (const command of document.querySelectorAll('.curl')) command.textContent = command.textContent.replace(SERVER, new URL('.', location.href).href);
