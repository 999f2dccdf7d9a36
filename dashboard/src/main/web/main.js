import 'uplot/dist/uPlot.min.css';
import './style/tokens.css';
import './style/base.css';
import './style/page.css';
import './style/dialog.css';
import './style/drop-down.css';
import './style/time.css';
import './style/side.css';
import './style/fields.css';
import './style/search.css';
import './style/hits.css';
import './style/events.css';
import './style/live.css';
import './style/rows.css';
import './style/health.css';
import { applyTheme } from './state/theme.js';
import './page.js';

applyTheme();
